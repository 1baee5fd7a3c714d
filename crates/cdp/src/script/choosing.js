// Sets fields that take only a whole value: options, dates, colours, ranges.
const THERE_MAX = 20;
const LIKE = {
  date: '2026-01-31', month: '2026-01', week: '2026-W05', time: '13:45', 'datetime-local': '2026-01-31T13:45',
  color: '#1e90ff',
};
const NUMBER = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i;

const tellChange = (field) => {
  dispatch(field, new Event('input', { bubbles: true, composed: true }));
  dispatch(field, new Event('change', { bubbles: true }));
};

// Returns the value that a field of this type makes of a text, determined with a new field outside the page. Null if
// such a field does not accept the text.
const valueAs = (field, text) => {
  const type = typeOfInput(field);
  if (text === '' && !['color', 'range'].includes(type)) return '';
  const like = createElement(page, 'input');
  for (const name of ['min', 'max', 'step']) {
    if (attribute(field, name) !== null) setAttribute(like, name, attribute(field, name));
  }
  setType(like, type);
  setValue(like, text);
  const value = valueOfInput(like);
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(text) ? value : null;
  if (type === 'range') return NUMBER.test(text) && Number(value) === Number(text) ? value : null;
  return value === '' ? null : value;
};

const takes = (field) => {
  const type = typeOfInput(field);
  if (type !== 'range') return `a field of the type ${type} takes a text like ${LIKE[type]}`;
  const [min, max, step] = ['min', 'max', 'step'].map((name) => cut(attribute(field, name) ?? '', 40));
  return `the field takes a number from ${min || 0} to ${max || 100} in steps of ${step || 1}`;
};

// Returns the text of an option as users see it.
const textOfOption = (option) => words(labelOfOption(option)).normalize('NFC');
const isOffered = (option) => {
  const group = parentNode(option);
  const isHidden = (element) => styleOf(element).display === 'none';
  return !isHidden(option) && !(isElement(group) && localName(group) === 'optgroup' && isHidden(group));
};
const offered = (select) => [...optionsOf(select)].filter(isOffered);
const chosenOf = (select) => [...optionsOf(select)].filter(isSelected);

const setField = (field, text) => {
  const value = valueAs(field, text);
  if (value === null) return { state: 'unfit', words: takes(field) };
  aimed.wanted = value;
  if (valueOfInput(field) === value) return { state: 'already' };
  setValue(field, value);
  tellChange(field);
  return { state: 'set' };
};

// Returns the first enabled option that has this text, or, if there is none, the first that has this value. Otherwise
// returns why there is none.
const optionFor = (options, text, isSecret) => {
  const wanted = words(text).normalize('NFC');
  const named = options.filter((option) => textOfOption(option) === wanted);
  const fitting = named.length > 0 ? named : options.filter((option) => valueOfOption(option) === text);
  const option = fitting.find((one) => !matches(one, ':disabled'));
  if (option !== undefined) return { option };
  const there = isSecret ? [] : options.slice(0, THERE_MAX).map((one) => whole(cut(textOfOption(one), HELD_CHARS_MAX)));
  return { state: fitting.length > 0 ? 'disabled' : 'absent', there, count: options.length };
};
const keyOf = (option) => [textOfOption(option), valueOfOption(option)];

// Chooses the options of these texts or values, and no others.
const setChoice = (select, texts, isSecret) => {
  if (texts.length > 1 && !isMultiple(select)) return { state: 'unfit', words: 'the list takes one option' };
  const wanted = [];
  for (const text of texts) {
    const found = optionFor(offered(select), text, isSecret);
    if (found.option === undefined) return found;
    wanted.push(found.option);
  }
  const all = [...optionsOf(select)];
  const inOrder = all.filter((option) => wanted.includes(option));
  aimed.wanted = JSON.stringify(inOrder.map(keyOf));
  const chosen = chosenOf(select);
  if (chosen.length === inOrder.length && chosen.every((option) => wanted.includes(option))) return { state: 'already' };
  if (isMultiple(select)) for (const other of chosen) if (!wanted.includes(other)) setSelected(other, false);
  for (const option of inOrder) setSelected(option, true);
  tellChange(select);
  return { state: 'set' };
};

// Sets the field that an action addresses, as if a user chose the value in it.
const choose = (wish) => {
  const refusal = refusalNow(wish, offOf);
  if (refusal !== null) return refusal;
  // A list that the user has opened closes when the field loses the focus; left open, it would take the next key.
  if (!aimed.isClosed && hasFocus(aimed.field)) blur(aimed.field);
  aimed.isClosed = true;
  // A page may close what the field is in if it gets the focus without a press.
  const pressed = { bubbles: true, cancelable: true, composed: true };
  dispatch(aimed.field, new MouseEvent('mousedown', pressed));
  focusOn(aimed.field, { preventScroll: true });
  dispatch(aimed.field, new MouseEvent('mouseup', pressed));
  // The page's focus handler may have changed the field, so it is checked again.
  const later = refusalNow(wish);
  if (later !== null) return later;
  const { field } = aimed;
  const way = wayOf(field);
  if (way === 'keys') return { state: 'changed', was: aimed.kind, is: kindOf(field) };
  if (way === 'set') return setField(field, wish.text.trim());
  return setChoice(field, wish.isList ? wish.text.split('\n') : [wish.text], wish.isSecret);
};

// Returns whether the field still holds the value that it was set to, and what it holds.
const chosen = (wish) => {
  const field = fieldNow();
  if (field === null) return { state: 'gone' };
  if (isInput(field)) {
    const value = valueOfInput(field);
    return { state: value === aimed.wanted ? 'same' : 'other', holds: wish.isSecret ? null : whole(cut(value, HELD_CHARS_MAX)) };
  }
  if (!isSelect(field)) return { state: 'gone' };
  const all = chosenOf(field).map(keyOf);
  const isSame = JSON.stringify(all) === aimed.wanted;
  const texts = all.map(([text]) => text).join(', ');
  return { state: isSame ? 'same' : 'other', holds: wish.isSecret ? null : whole(cut(texts, HELD_CHARS_MAX)) };
};
