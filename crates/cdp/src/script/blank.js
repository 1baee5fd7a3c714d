// Returns whether queries find nothing in the empty page, each given as `[by, selector]`. Those that find something, are
// invalid or are not easily read are left to the page's script, which takes longer.
(queries) => {
  const isOneOf = (pattern) => (selector) => pattern.test(selector);
  const findsNothing = {
    'css selector': (selector) => document.querySelector(selector) === null,
    'tag name': (selector) => selector !== '' && document.getElementsByTagName(selector).length === 0,
    // If the result is no set of elements, this throws an error.
    xpath: (selector) => document.evaluate(selector, document, null, 5, null).iterateNext() === null,
    id: isOneOf(/\S/),
    name: isOneOf(/\S/),
    'class name': isOneOf(/^[\w\-]+$/),
    'link text': isOneOf(/\S/),
    'partial link text': isOneOf(/\S/),
    role: isOneOf(/^[a-z]+(\[name\*?="[^"\\]*"\])?$/),
    text: isOneOf(/\S/),
  };
  const isClear = ([by, selector]) => !selector.includes('>>') && findsNothing[by](selector);
  try {
    return queries.every(isClear);
  } catch {
    return false;
  }
}
