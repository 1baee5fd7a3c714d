// Decides whether a page reformatted a text: changed its case or white space, or added signs. A missing or different
// character makes another text; so does a space removed between two letters, and so do added signs that change its
// value:
// - A `.` or `,` before a digit may group the digits of a number (`1,234,567`, `12,34,567`), if all groups use the
//   same sign, which is not the decimal point; or separate those of a date or phone number (`24.12.2026`,
//   `555.123.4567`), if the text is only digits; or precede zeros that end the number (`1,234.00`, `1.50`).
// - No `-` or `+` may precede the first digit of a number, but a `+` may precede a whole phone number, which
//   is 7 digits or more without letters. No `+` may be between digits, and no `-` in a word with letters.
// - No `+`, `-`, `.`, `,` or `_` may be inside a word or at the ends of an email address, and no sign at all may be
//   inside an email address.
const DASH = /[\p{Pd}\u2212]/u;
const JOINS = /[+.,_\p{Pd}\u2212]/u;
const GROUPED = /^(?:\d{1,3}([.,])\d{3}(?:\1\d{3})*|\d{1,2}(?:,\d{2})+,\d{3})(?:\|[^.,]*)?$/;
const FRACTION = /^0[^.,]*[.,][^.,]*$/;
const DOTTED = /^(?:\d\d\.\d\d\.(?:\d\d)?\d\d|(?:\d{1,3}\.)?\d{3}\.\d{3}\.\d{4}|\d\d(?:\.\d\d){4})$/;
const PHONE_DIGITS_MIN = 7;

const isSpace = (sign) => sign === ' ';
const isDigit = (sign) => sign !== undefined && /\d/.test(sign);
const isLetter = (sign) => sign !== undefined && /\p{L}/u.test(sign);
const isInWord = (sign) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
const signsOf = (text) => [...words(text.normalize('NFC').replace(/\p{Cf}/gu, '')).toUpperCase()];

// Returns the places of the signs that the page has added to a text; null if the text differs in any other way.
const addedIn = (shown, wanted) => {
  const added = new Set();
  let at = 0;
  for (const [place, sign] of shown.entries()) {
    const isLost = sign !== wanted[at] && isSpace(wanted[at]) && sign === wanted[at + 1];
    if (isLost && !(isLetter(wanted[at - 1]) && isLetter(wanted[at + 1]))) at += 1;
    if (sign === wanted[at]) at += 1;
    else if (isSpace(sign) || /[\p{P}\p{S}]/u.test(sign)) added.add(place);
    else return null;
  }
  return at === wanted.length ? added : null;
};

// Returns the signs before and after a place, as far as they match `fits`.
const around = (shown, place, fits) => {
  let [from, to] = [place, place];
  while (from > 0 && fits(from - 1)) from -= 1;
  while (to + 1 < shown.length && fits(to + 1)) to += 1;
  return { from, signs: shown.slice(from, to + 1) };
};

// Returns whether an added point or comma leaves a number's value the same; null if it is not in a number.
const isGroup = (shown, added, place) => {
  const isInNumber = (at) => /[\d.,'\u2019 ]/.test(shown[at]) && (added.has(at) || !isSpace(shown[at]));
  const { from, signs } = around(shown, place, isInNumber);
  if (!signs.slice(place - from).some(isDigit)) return null;
  // In the checked text, the number's own signs are represented by `|`, to distinguish them from added ones.
  const isOwn = (sign, at) => !isDigit(sign) && !added.has(from + at);
  const form = signs.map((sign, at) => (isOwn(sign, at) ? '|' : sign)).join('').trim();
  const isPoint = signs.some((sign, at) => isOwn(sign, at) && sign === shown[place] && isDigit(signs[at + 1]));
  if (GROUPED.test(form)) return !isPoint && !FRACTION.test(form);
  return DOTTED.test(form) && shown.every((sign) => !isLetter(sign));
};

const isHarmless = (shown, wanted, added, place) => {
  const sign = shown[place];
  if (isSpace(sign)) return true;
  const grouped = sign === '.' || sign === ',' ? isGroup(shown, added, place) : null;
  if (grouped !== null) return grouped;
  const { signs: word } = around(shown, place, (at) => !isSpace(shown[at]));
  if (sign === '+' || DASH.test(sign)) {
    const isAfterDigit = isDigit(shown.slice(0, place).findLast(isInWord));
    const isBeforeDigit = isDigit(shown.slice(place).find(isInWord));
    const isPhone = !wanted.some(isLetter) && wanted.filter(isDigit).length >= PHONE_DIGITS_MIN;
    if (isBeforeDigit && !isAfterDigit) return sign === '+' && place === 0 && isPhone;
    if (isBeforeDigit) return sign !== '+' && !word.some(isLetter);
  }
  const [before, after] = [shown[place - 1], shown[place + 1]];
  if (!word.includes('@')) return !(JOINS.test(sign) && isInWord(before) && isInWord(after));
  const isInside = before !== undefined && after !== undefined && !isSpace(before) && !isSpace(after);
  return !isInside && !JOINS.test(sign);
};

const hasSignsOf = (held, text) => {
  const [shown, wanted] = [signsOf(held), signsOf(text)];
  const added = addedIn(shown, wanted);
  return added !== null && [...added].every((place) => isHarmless(shown, wanted, added, place));
};

// Removes the zeros at the end of a decimal fraction, which do not change its value.
const withoutZeros = (held) =>
  [held.replace(/(\d[.,]\d)0(?=\D*$)/, '$1'), held.replace(/(\d)[.,]00?(?=\D*$)/, '$1')];
const isWritten = (held, text) =>
  [held, ...(/\d/.test(text) ? withoutZeros(held) : [])].some((one) => hasSignsOf(one, text));
