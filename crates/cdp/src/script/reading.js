// Reads texts of the page for the run.
const READ_MAX = 1000;
const READ_CHARS_MAX = 10000;
const TOGETHER_CHARS_MAX = 250000;
const ADDRESSES = ['href', 'src', 'action', 'poster'];

const chosenTexts = (select) => chosenOf(select).map(textOfOption).join(', ');

// Returns the value of a field, or the text of any other element, as a person would copy it.
const textToRead = (element) => {
  if (isSelect(element)) return chosenTexts(element);
  if (isInput(element) && ['checkbox', 'radio'].includes(typeOfInput(element))) return isChecked(element) ? 'on' : 'off';
  if (isInput(element) || isTextArea(element)) return textIn(element);
  const text = element instanceof HTMLElement ? innerText(element) : textContent(element) ?? '';
  return text.replaceAll('\u00a0', ' ').trim();
};

const valueToRead = (element, name) => {
  if (name === null) return textToRead(element);
  const value = attribute(element, name) ?? '';
  return ADDRESSES.includes(name) && value !== '' ? URL.parse(value, page.baseURI)?.href ?? value : value;
};

// Returns what is read of the elements that a locator finds. Nothing is read of a password field.
const extract = (wish) => {
  const located = locate(wish, wish.all ? READ_MAX : COMPARED_MAX);
  if (located === null) return { state: 'bad' };
  if (located.frame) return { state: 'frame', number: numberOf(located.frame), steps: located.rest };
  if (located.elements.length === 0) return { state: 'none', hosts: collectHosts(true) };
  if ([null, 'value'].includes(wish.attribute) && located.elements.some(hidesText)) {
    return { state: 'hidden', words: 'the element is a password field, of which nothing is read' };
  }
  reach = wish.reach;
  room = MORE_CHARS_MAX;
  const values = [];
  let chars = 0;
  const elements = wish.all ? located.elements : [elementMeant(located)];
  for (const element of elements) {
    const value = handedOver(valueToRead(element, wish.attribute), READ_CHARS_MAX) ?? '***';
    chars += value.length;
    if (chars > TOGETHER_CHARS_MAX) break;
    values.push(value);
  }
  return { state: 'found', values, left: elements.length - values.length };
};
