// Whether a page wrote a text in its own way: with letters in the other case, other white space, signs that it adds.
// A character that is not there or is another one makes another text; so does a blank that is gone between two
// letters, and so do added signs that make another value of it:
// - A `.` or `,` with a digit behind it groups digits as numbers have it (`1,234,567`, `12,34,567`), all by the
//   same sign, which is not the number's own point; or it is that of a date or phone number (`24.12.2026`,
//   `555.123.4567`), where the text is such digits alone; or zeros behind it end the number (`1,234.00`, `1.50`).
// - A `-` or `+` stands not before the first digit of a number, but a `+` does before all of a phone number, which
//   is 7 digits or more without letters. Between digits stands no `+`, and a `-` in no word that has letters.
// - In a word stands no `+`, `-`, `.`, `,` or `_`, in an address of mail no sign at all, and none of these at its ends.
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

// The places of the signs that are no part of the text; null where it is another one.
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

// The signs around a place that fit, as far as they do.
const around = (shown, place, fits) => {
  let [from, to] = [place, place];
  while (from > 0 && fits(from - 1)) from -= 1;
  while (to + 1 < shown.length && fits(to + 1)) to += 1;
  return { from, signs: shown.slice(from, to + 1) };
};

// Whether an added point or comma makes no other number; null where it is in none.
const isGroup = (shown, added, place) => {
  const isInNumber = (at) => /[\d.,'\u2019 ]/.test(shown[at]) && (added.has(at) || !isSpace(shown[at]));
  const { from, signs } = around(shown, place, isInNumber);
  if (!signs.slice(place - from).some(isDigit)) return null;
  // The number's own signs are written as `|`.
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

// Zeros that end a number behind its point add nothing to it.
const withoutZeros = (held) =>
  [held.replace(/(\d[.,]\d)0(?=\D*$)/, '$1'), held.replace(/(\d)[.,]00?(?=\D*$)/, '$1')];
const isWritten = (held, text) =>
  [held, ...(/\d/.test(text) ? withoutZeros(held) : [])].some((one) => hasSignsOf(one, text));
