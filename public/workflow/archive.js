// Reads the archive of a run's trace, a tar of GNU's kind, as far as the page needs it: which files are in it.
// Nothing is believed of what it says of itself but names and lengths, and those only within its own bytes.

const BLOCK = 512;
const [NAME, SIZE, KIND] = [[0, 100], [124, 136], 156];
/** Kinds of entries: a file, an older writer's file, and the long name of the entry that follows. */
const [FILE, OLD_FILE, LONG_NAME] = ['0', '\0', 'L'];
const TYPES = { __proto__: null, png: 'image/png', jpg: 'image/jpeg' };

/** `[{path, bytes}]`, the files as far as the archive can be read. */
export function filesOf(archive) {
  const files = [];
  let longName = '';
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(textOf(header, SIZE) || '0', 8);
    const from = at + BLOCK;
    // Two empty blocks are the end.
    if (header[0] === 0 || !(size >= 0) || from + size > archive.length) break;
    const bytes = archive.subarray(from, from + size);
    const kind = String.fromCharCode(header[KIND]);
    if (kind === FILE || kind === OLD_FILE) files.push({ path: longName || textOf(header, NAME), bytes });
    longName = kind === LONG_NAME ? textOf(bytes, [0, size]) : '';
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** `{type, bytes}` of a picture by its digest; null where the archive has none that a browser shows. */
export function pictureIn(files, digest) {
  for (const { path, bytes } of files) {
    const [, ending] = path.split(`/artifacts/${digest}.`);
    if (TYPES[ending]) return { type: TYPES[ending], bytes };
  }
  return null;
}

/** Up to the first NUL, which ends a text in a tar. */
function textOf(bytes, [from, to]) {
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  return text.split('\0')[0].trim();
}
