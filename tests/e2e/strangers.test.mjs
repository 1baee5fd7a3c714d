// The page of a server that is open to strangers: the check for humans, a link that is shared, and
// one that would spend with the token of whoever opens it.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ask, firstLink, hear, launch, on, outcome } from './page.mjs';
import { forgetCalls, calls, LIMIT_MS, ownPair, request, TOGETHER } from './support.mjs';

const TOKEN = 'an-operator-token-of-tests';
/** Slow enough to be watched; no title names anybody, so that a run looks at many photos. */
const LATENCY = ['--latency', 'google=300,image=200,rekognition=400,gemini=300', '--captions', '0'];
const WIDGET = 'https://challenges.cloudflare.com/**';

let browser = null;
let pair = null;
let checked = null;
let context = null;
let complaints = [];
let allowed = null;

before(async () => {
  const turnstile = {
    TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'sandbox-turnstile-secret',
  };
  [browser, pair, checked] = await Promise.all([
    launch(),
    ownPair(LATENCY, { OPERATOR_TOKEN: TOKEN, STARTS_PER_MINUTE_MAX: 'none' }),
    ownPair([], { OPERATOR_TOKEN: TOKEN, STARTS_PER_MINUTE_MAX: 'none', ...turnstile }),
  ]);
});
after(() => Promise.all([browser?.close(), pair?.stop(), checked?.stop()]));
beforeEach(async () => {
  [complaints, allowed] = [[], null];
  context = await newContext();
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints.filter((one) => !allowed?.test(one)), [], 'the browser complained');
});

async function newContext() {
  const made = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  made.setDefaultTimeout(LIMIT_MS);
  return made;
}

async function open(address, within = context) {
  const page = await within.newPage();
  hear(page, complaints);
  await page.goto(address);
  return page;
}

const linkTo = (base, { a, b }) => `${base}/investigate?${new URLSearchParams({ a, b })}`;

/** The widget's script, as far as the page uses it: each token is one of the stand-in's. */
async function widget({ sandbox }) {
  const tokens = { given: 0 };
  await context.exposeBinding('tokenOfStandIn', async () => {
    const query = new URLSearchParams({ hostname: '127.0.0.1', action: 'start-run' });
    tokens.given += 1;
    return (await (await request(`${sandbox.listening}/turnstile/token?${query}`)).json()).token;
  });
  const script = `{
    let told = null;
    const give = () => tokenOfStandIn().then((token) => told(token));
    globalThis.turnstile = {
      render: (place, { sitekey, action, callback }) => {
        if (sitekey !== 'site' || action !== 'start-run') throw new Error('another widget');
        place.textContent = 'Success!';
        told = callback;
        give();
        return 'widget';
      },
      reset: give,
    };
  }`;
  await context.route(WIDGET, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  return tokens;
}

test('a stranger passes the check for humans and starts runs, one for each token', async () => {
  const tokens = await widget(checked);
  const page = await open(`${checked.base}/`);
  await page.frameLocator('vd-human iframe').getByText('Success!').waitFor();
  await ask(page, TOGETHER);
  await outcome(page, 'final').waitFor();
  const first = page.url();
  await ask(page, TOGETHER);
  await page.waitForFunction((old) => location.href !== old, first);
  await outcome(page, 'final').waitFor();
  assert.ok(tokens.given >= 2, `${tokens.given} tokens for two runs`);
});

test('a link starts its run once its visitor has passed the check', async () => {
  // The first try tells the page that there is a check.
  allowed = /status of 403/;
  await widget(checked);
  const page = await open(linkTo(checked.base, TOGETHER));
  await outcome(page, 'final').waitFor();
});

test('whoever has a shared link may watch, and neither stop nor go on', async () => {
  const mine = await open(linkTo(pair.base, pair.example));
  await firstLink(mine);
  assert.ok(await on(mine, 'stop').isVisible());
  const others = await newContext();
  try {
    const theirs = await open(mine.url(), others);
    await firstLink(theirs);
    assert.equal(await on(theirs, 'stop').isVisible(), false);
    await on(mine, 'stop').click();
    for (const page of [mine, theirs]) await outcome(page, 'no_path').waitFor();
    const goOn = { name: 'Go on from here' };
    assert.equal(await mine.getByRole('button', goOn).isVisible(), true);
    assert.equal(await theirs.getByRole('button', goOn).count(), 0);
  } finally {
    await others.close();
  }
  // The tab keeps its secret when it is loaded again.
  await mine.reload();
  await mine.getByRole('button', { name: 'Go on from here' }).click();
  await outcome(mine, 'final').waitFor();
});

test('a link waits for a click where it would spend with a stored token', async () => {
  const page = await open(`${pair.base}/`);
  await page.evaluate((token) => sessionStorage.setItem('visual-degrees-token', token), TOKEN);
  await forgetCalls(pair.sandbox.listening);
  await page.goto(linkTo(pair.base, TOGETHER));
  const problem = on(page, 'problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /with your token/);
  assert.equal(await on(page, 'person-a').inputValue(), TOGETHER.a);
  assert.equal(await on(page, 'start').evaluate((one) => one === document.activeElement), true);
  assert.deepEqual(await calls(pair.sandbox.listening), []);
  await page.keyboard.press('Enter');
  await outcome(page, 'final').waitFor();
  assert.equal(await problem.isVisible(), false);
});
