// Preserves JSON as it was written.

/**
 * The JSON to send, with its numbers as written: a JSON number may have more digits than a JavaScript number can hold,
 * and `3.0` as a text is not `3`.
 */
export function exactly(written, member = '') {
  const asWritten = (_, value, context) => {
    const source = context?.source;
    const isOther = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isOther && JSON.rawJSON ? JSON.rawJSON(source) : value;
  };
  const json = JSON.parse(written, asWritten);
  return member ? json[member] : json;
}
