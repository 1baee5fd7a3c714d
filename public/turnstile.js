// The widget of the check for humans, in its own frame. It is a third-party script, and runs nowhere else. The
// embedding page receives each token, and nothing else.

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

const tell = (token) => parent.postMessage({ humanToken: token }, location.origin);

const script = document.createElement('script');
script.src = SCRIPT;
script.addEventListener('load', () => {
  const widget = globalThis.turnstile.render(document.body, {
    sitekey: new URLSearchParams(location.search).get('key') ?? '',
    action: 'start-run',
    callback: tell,
    'expired-callback': () => tell(''),
    'error-callback': () => tell(''),
  });
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source !== parent || data !== 'renew') return;
    globalThis.turnstile.reset(widget);
  });
});
document.head.append(script);
