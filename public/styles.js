// The styles of <visual-degrees>, read once for all that stand in a document. They are fetched and not
// linked: nothing blinks when the element is moved, and a page with a strict policy of its own needs no
// word on styles.

const FILES = ['base.css', 'visual-degrees.css', 'evidence.css', 'graph.css'];

let sheets = null;

/** Promises the sheets; none where they cannot be read: what is shown is then plain, and still there. */
export function styles() {
  sheets ??= Promise.all(FILES.map(read));
  return sheets;
}

async function read(name) {
  const sheet = new CSSStyleSheet();
  try {
    const response = await fetch(new URL(name, import.meta.url));
    if (response.ok) sheet.replaceSync(await response.text());
  } catch {
    // The next element of another document asks again.
    sheets = null;
  }
  return sheet;
}
