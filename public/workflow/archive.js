// Reads the archive of a run's trace, a GNU tar, as far as the page needs it: its files. Only names and lengths are
// used, and checked against the archive's size.

const BLOCK = 512;
const [NAME, SIZE, KIND] = [[0, 100], [124, 136], 156];
/** Types of entries: a file, a file in the old format, and the long name of the next entry. */
const [FILE, OLD_FILE, LONG_NAME] = ['0', '\0', 'L'];
const TYPES = { __proto__: null, png: 'image/png', jpg: 'image/jpeg' };

/** `[{path, bytes}]`, the files as far as the archive is readable. */
export function filesOf(archive) {
  const files = [];
  let longName = '';
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(textOf(header, SIZE) || '0', 8);
    const from = at + BLOCK;
    // Two empty blocks mark the end.
    if (header[0] === 0 || !(size >= 0) || from + size > archive.length) break;
    const bytes = archive.subarray(from, from + size);
    const kind = String.fromCharCode(header[KIND]);
    if (kind === FILE || kind === OLD_FILE) files.push({ path: longName || textOf(header, NAME), bytes });
    longName = kind === LONG_NAME ? textOf(bytes, [0, size]) : '';
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** `{type, bytes}` of a picture by its digest; null if the archive has none that browsers show. */
export function pictureIn(files, digest) {
  for (const { path, bytes } of files) {
    const [, ending] = path.split(`/artifacts/${digest}.`);
    if (TYPES[ending]) return { type: TYPES[ending], bytes };
  }
  return null;
}

/** A text up to the first NUL, its end in a tar. */
function textOf(bytes, [from, to]) {
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  return text.split('\0')[0].trim();
}
