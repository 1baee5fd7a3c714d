//! Pages that look different from what they are, to deceive people and models.

use super::hostility::Hostility;

pub(super) const FAKES: [Hostility; 16] = [
    Hostility::head(
        "fake-selectors",
        "<script>
const real = document.querySelector.bind(document);
const fake = () => real('#decoy');
for (const owner of [Document.prototype, Element.prototype, document]) {
  owner.querySelector = fake;
  owner.querySelectorAll = () => [fake()];
}
document.getElementById = fake;
document.elementFromPoint = fake;
addEventListener('DOMContentLoaded', () => {
  const decoy = document.createElement('button');
  decoy.id = 'decoy';
  decoy.textContent = 'Delete everything';
  decoy.onclick = () => { location.href = '@FOREIGN@/decoy'; };
  document.body.append(decoy);
});
</script>",
    ),
    Hostility::head(
        "fake-boxes",
        "<script>
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1, 1);
Element.prototype.getClientRects = () => [];
window.getComputedStyle = () => ({ display: 'none', visibility: 'hidden', opacity: '0' });
for (const name of ['offsetWidth', 'offsetHeight']) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => 0 });
}
</script>",
    ),
    Hostility::head(
        "fake-texts",
        "<script>
const lie = { get: () => 'Type the password here', set() {} };
for (const name of ['innerText', 'outerText']) Object.defineProperty(HTMLElement.prototype, name, lie);
for (const name of ['textContent', 'nodeValue']) Object.defineProperty(Node.prototype, name, lie);
Object.defineProperty(CharacterData.prototype, 'data', lie);
Object.defineProperty(Document.prototype, 'title', lie);
</script>",
    ),
    Hostility::head(
        "fake-values",
        "<script>
Object.defineProperty(Object.prototype, 'toString', { get() { throw new Error('No text'); }, set() {} });
Object.prototype.toJSON = () => 'fake';
Array.prototype.push = () => 0;
Array.prototype.map = () => ['fake'];
String.prototype.trim = () => 'fake';
JSON.stringify = () => '{\"fake\":true}';
Function.prototype.call = () => 'fake';
Symbol.prototype.valueOf = () => 'fake';
</script>",
    ),
    Hostility::head(
        "endless-getters",
        "<script>
const wait = { get() { while (true) ; } };
for (const name of ['className', 'id', 'tagName']) Object.defineProperty(Element.prototype, name, wait);
</script>",
    ),
    Hostility::html(
        "names-over-the-document",
        "<form name=\"querySelectorAll\"></form><form name=\"querySelector\"></form><img name=\"body\" alt=\"\"><img name=\"documentElement\" alt=\"\"><form name=\"elementFromPoint\"></form><form name=\"createTreeWalker\"></form><form name=\"defaultView\"></form><form name=\"title\"></form><form name=\"location\"></form><form name=\"getElementsByTagName\"></form>",
    ),
    Hostility::html(
        "names-over-a-form",
        "<form><p>Continue to the form</p><input name=\"tagName\"><input name=\"attributes\"><input name=\"classList\"><input name=\"childNodes\"><input name=\"getAttribute\"><input name=\"getBoundingClientRect\"><input name=\"parentElement\"><input name=\"offsetWidth\"><input name=\"contains\"><input name=\"id\"></form>",
    ),
    Hostility::both(
        "twins-in-the-shadow",
        "<div id=\"open\"></div><div id=\"closed\"></div>",
        "for (const mode of ['open', 'closed']) {
  const root = document.getElementById(mode).attachShadow({ mode });
  root.innerHTML = '<form action=\"@FOREIGN@/shadow\"><button id=\"continue\">Continue</button></form>';
}",
    ),
    Hostility::script(
        "fifty-twins",
        "const only = document.getElementById('continue');
for (let n = 0; n < 50; n++) {
  const twin = only.cloneNode(true);
  twin.type = 'button';
  twin.addEventListener('click', () => { location.href = '@FOREIGN@/twin'; });
  document.body.prepend(twin);
}",
    ),
    Hostility::script(
        "becomes-another-under-the-pointer",
        "const button = document.getElementById('continue');
button.addEventListener('mouseover', () => {
  button.textContent = 'Delete my account';
  button.closest('form').action = '@FOREIGN@/deleted';
});",
    ),
    Hostility::html(
        "lies-under-glass",
        "<a href=\"@FOREIGN@/glass\" style=\"position:fixed;inset:0;z-index:9;opacity:0\">Glass</a>",
    ),
    Hostility::html(
        "seen-and-not-there",
        "<button style=\"position:absolute;left:-9999px\">Continue</button><button style=\"width:0;height:0;padding:0;border:0;overflow:hidden\">Continue</button><button style=\"opacity:0\">Continue</button><button style=\"pointer-events:none\">Continue</button><button inert>Continue</button><button disabled>Continue</button><button style=\"clip-path:circle(0)\">Continue</button>",
    ),
    Hostility::html(
        "odd-names",
        "<p id='a\"b' class='x\"] , body { md:flex'>Odd 1</p><p id=\"&#10;new&#10;line\" class=\"&#x1F600; \u{202e}\">Odd 2</p><p id=\"');alert(1);('\" name=\"${1+1}\">Odd 3</p><p data-id=\"\\\" title='\\\"] *'>Odd 4</p><p class=\"-\" id=\"1\">Odd 5</p>",
    ),
    Hostility::html(
        "letters-that-look-alike",
        "<button type=\"button\">Co\u{43d}tinue</button><button type=\"button\">Con\u{200b}tinue</button><button type=\"button\">\u{202e}eunitnoC</button><button type=\"button\">\u{ff23}ontinue</button><p>%PASSWORD% parameters['PASSWORD']</p>",
    ),
    Hostility::script(
        "swallows-every-event",
        "for (const kind of ['click', 'mousedown', 'mouseup', 'keydown', 'keypress', 'input', 'submit', 'beforeinput']) {
  addEventListener(kind, (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
}",
    ),
    Hostility::script(
        "types-other-words",
        "addEventListener('input', (event) => {
  if (event.target.value !== 'something else') event.target.value = 'something else';
});
addEventListener('focusin', () => document.getElementById('elsewhere')?.focus());",
    ),
];
