// A tar as the server writes it, for tests: a header of its own kind, and a long name in an entry before.

const BLOCK = 512;

function entry(name, bytes, kind) {
  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(0, 100));
  header.write(bytes.length.toString(8).padStart(11, '0'), 124);
  header.write(kind, 156);
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

/** Makes an archive of `[path, bytes]` pairs. */
export function tarOf(files) {
  const entries = files.flatMap(([path, bytes]) => [
    ...(path.length > 100 ? [entry('././@LongLink', Buffer.from(`${path}\0`), 'L')] : []),
    entry(path, Buffer.from(bytes), '0'),
  ]);
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}
