// The verifier that browsers are given says what the core says natively, to the byte, of every committed
// sealed run; and it finds every changed byte that the core has to find. Ends with 1 at a difference.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const built = join(root, 'dist', 'verifier');
const { default: init, verify } = await import(pathToFileURL(join(built, 'verifier.js')));
await init({ module_or_path: await readFile(join(built, 'verifier_bg.wasm')) });

const args = ['run', '--quiet', '--example', 'verifier_native'];
const native = execFileSync('cargo', args, {
  cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'],
});
let [same, differences, found, missed] = [0, 0, 0, 0];
for (const line of native.trim().split('\n')) {
  const { name, text, expected, changes = [] } = JSON.parse(line);
  const told = verify(text);
  if (told === expected) same += 1;
  else {
    differences += 1;
    console.log(`${name}: natively ${expected}\nin WASM ${told}`);
  }
  for (const [at, byte] of changes) {
    const bytes = Buffer.from(text);
    bytes[at] = byte;
    if (isFound(bytes)) found += 1;
    else {
      missed += 1;
      console.log(`${name}: byte ${at} changed to ${byte} is not found`);
    }
  }
}
console.log(`verifier and core: ${same} of ${same + differences} files alike, ${found} of ${found + missed} `
  + 'changed bytes found');
const failed = (differences > 0) + (missed > 0);
console.log(`${2 - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Read as a browser reads a file: what is no text becomes another text. */
function isFound(bytes) {
  const { error, report } = JSON.parse(verify(new TextDecoder().decode(bytes)));
  return error !== undefined || report.result === 'different';
}
