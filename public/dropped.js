// Reads a sealed file that the user drops on the page or chooses, up to a limit.

import { SEALED_BYTES_MAX } from './sealed-file.js';

/** Calls `take(text)` with the text of each file. A longer file is cut, and is then refused as too long. */
export function takeFiles(target, input, take) {
  const isFile = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes('Files');
  target.addEventListener('dragover', (event) => {
    if (isFile(event)) event.preventDefault();
  });
  target.addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
  input.addEventListener('change', () => {
    read(input.files[0]);
    // The field is cleared so that the same file can be chosen again.
    input.value = '';
  });

  async function read(file) {
    if (file) take(await file.slice(0, SEALED_BYTES_MAX + 1).text());
  }
}
