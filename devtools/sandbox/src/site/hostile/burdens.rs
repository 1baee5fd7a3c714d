//! Pages that consume resources, with endless scripts, too many elements or constant activity.

use super::hostility::{Hostility, Twist};

pub(super) const BURDENS: [Hostility; 15] = [
    Hostility::script(
        "hundred-megabytes",
        "const kilobyte = (n) => String(n).padEnd(1000, 'x');
for (let n = 0; n < 100000; n++) {
  const element = document.createElement('div');
  element.title = kilobyte(n);
  element.textContent = 'Row ' + n;
  document.body.append(element);
}",
    ),
    Hostility::script("script-without-end", "while (true) ;"),
    Hostility::script(
        "script-without-end-later",
        "setTimeout(() => { while (true) ; }, 700);",
    ),
    Hostility::script(
        "script-without-end-on-click",
        "for (const kind of ['mousedown', 'keydown']) addEventListener(kind, () => { while (true) ; }, true);",
    ),
    Hostility::script(
        "deep-elements",
        "let inner = document.body;
for (let n = 0; n < 20000; n++) {
  const element = document.createElement('div');
  inner.append(element);
  inner = element;
}
inner.textContent = 'Deep below';",
    ),
    Hostility::both(
        "never-still",
        "<p id=\"news\"></p>",
        "const news = document.getElementById('news');
setInterval(() => {
  news.textContent = 'News ' + Math.random();
  news.className = 'c' + Math.floor(Math.random() * 1e6);
  document.title = 'Page ' + Math.random();
}, 1);",
    ),
    Hostility::html(
        "never-loaded",
        "<img src=\"@HERE@/never\" alt=\"\"><link rel=\"stylesheet\" href=\"@HERE@/never?style\">",
    ),
    Hostility::twist("comes-in-drops", Twist::Dripping),
    Hostility::script(
        "target-runs-for-ever",
        "const runner = document.getElementById('continue');
runner.style.position = 'fixed';
setInterval(() => {
  runner.style.left = Math.random() * 600 + 'px';
  runner.style.top = Math.random() * 400 + 'px';
}, 30);",
    ),
    Hostility::both(
        "scrolls-away",
        "<div style=\"height:5000px\"></div>",
        "const away = () => scrollTo(0, Math.random() * 5000);
addEventListener('scroll', away);
setInterval(away, 50);",
    ),
    Hostility::script(
        "workers-without-end",
        "const code = URL.createObjectURL(new Blob(['while (true) ;']));
for (let n = 0; n < 8; n++) new Worker(code);",
    ),
    Hostility::script(
        "talks-without-end",
        "const words = 'x'.repeat(100000);
setInterval(() => { for (let n = 0; n < 20; n++) console.log(words, { words }); }, 10);",
    ),
    Hostility::script(
        "asks-without-end",
        "const ask = () => fetch('@HERE@/file?n=' + Math.random()).finally(() => setTimeout(ask, 20));
ask();",
    ),
    Hostility::script(
        "texts-of-megabytes",
        "document.title = 'T'.repeat(1 << 20);
const long = document.createElement('p');
long.textContent = 'word '.repeat(4 << 20);
long.id = 'i'.repeat(1 << 20);
document.body.append(long);",
    ),
    Hostility::script(
        "errors-without-end",
        "setInterval(() => { throw new Error('Error ' + 'x'.repeat(10000)); }, 2);
setInterval(() => { Promise.reject(new Error('Rejected')); }, 2);",
    ),
];
