// The functions of a WebAssembly module: their code is read, and they are given names, by which other tools know
// them. https://webassembly.github.io/spec/core/binary/modules.html
const HEADER_BYTES = 8;
const CUSTOM = 0;
const IMPORTS = 2;
const CODE = 10;
/** What is imported: a function, a table, a memory, a global, a tag. */
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];
const HAS_MAXIMUM = 1;
/** The subsection of the section "name" that names functions. */
const FUNCTION_NAMES = 1;

/** How many functions are imported, which are numbered first, and the bytes of each function that is not. */
export function functionsOf(module) {
  let imported = 0;
  const bodies = [];
  for (const { id, content } of sectionsOf(module)) {
    const reader = new Reader(content);
    if (id === IMPORTS) imported = importedFunctions(reader);
    if (id !== CODE) continue;
    for (let left = reader.number(); left > 0; left -= 1) bodies.push(reader.bytes(reader.number()));
  }
  return { imported, bodies };
}

/** The module with `names[i]` as the name of function `first + i`, and with no other section that is not code. */
export function withFunctionNames(module, first, names) {
  const rows = names.map((name, i) => [...number(first + i), ...text(name)]);
  const named = [...number(rows.length), ...rows.flat()];
  const content = [...text('name'), FUNCTION_NAMES, ...number(named.length), ...named];
  const kept = sectionsOf(module).filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  const section = Uint8Array.from([CUSTOM, ...number(content.length), ...content]);
  return Buffer.concat([module.subarray(0, HEADER_BYTES), ...kept, section]);
}

function sectionsOf(module) {
  const sections = [];
  const reader = new Reader(module, HEADER_BYTES);
  while (!reader.isAtEnd()) {
    const start = reader.at;
    const id = reader.byte();
    const content = reader.bytes(reader.number());
    sections.push({ id, content, whole: module.subarray(start, reader.at) });
  }
  return sections;
}

function importedFunctions(reader) {
  let functions = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.bytes(reader.number());
    reader.bytes(reader.number());
    const kind = reader.byte();
    if (kind === FUNCTION) functions += 1;
    if (kind === GLOBAL) reader.bytes(2);
    else if (kind === TABLE) {
      reader.byte();
      skipLimits(reader);
    } else if (kind === MEMORY) skipLimits(reader);
    else {
      // A function's type; a tag has a byte before it that is 0.
      if (kind !== FUNCTION) reader.byte();
      reader.number();
    }
  }
  return functions;
}

function skipLimits(reader) {
  const flags = reader.byte();
  reader.number();
  if (flags & HAS_MAXIMUM) reader.number();
}

class Reader {
  constructor(source, at = 0) {
    this.source = source;
    this.at = at;
  }

  isAtEnd() {
    return this.at >= this.source.length;
  }

  byte() {
    return this.source[this.at++];
  }

  bytes(length) {
    this.at += length;
    return this.source.subarray(this.at - length, this.at);
  }

  /** A number of at most 32 bits in LEB128: seven bits in each byte, the lowest first. */
  number() {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = this.byte();
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
  }
}

function number(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

function text(value) {
  const bytes = Buffer.from(value);
  return [...number(bytes.length), ...bytes];
}
