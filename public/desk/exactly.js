// JSON as it was written.

/**
 * What is sent: the numbers as they were written. A number of JSON may have more digits than a number of
 * this language keeps, and `3.0` as a text is not `3`.
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
