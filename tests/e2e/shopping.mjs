// What the tests of automata share: who starts them, their states, the sandbox's shop and what was done in it.
import { created, eventually, post, request } from './support.mjs';

export const TOKEN = 'the token of these tests has 40 characters';
export const OPERATOR = { authorization: `Bearer ${TOKEN}` };
export const PASSWORD = 'sandbox-site-password';

const SETTLED_LIMIT_MS = 20_000;

/** Several states of the shop may pass at once. */
const OPTIONS = { allowMultipleStates: true };

export const state = (name, texts, actions, end_state = '') => ({
  name, description: '', checks: texts.map((value) => ({ type: 'text', value })), actions, end_state,
});

/** The state of the empty page, which opens an address. */
export const begin = (address) => ({
  ...state('Begin', [], [`navigate_to('${address}')`]), checks: [{ type: 'url', value: 'about:blank' }],
});

/** Logs in at a variant of the shop of the sandbox at this address and puts a cup into the basket. */
export function shopper(sandbox, variant = 'v0') {
  const shop = `${sandbox}/site/${variant}`;
  return [
    begin(`${shop}/login`),
    state('Wall', ['This shop uses cookies'], ["click('css selector', '#cookie-necessary')"]),
    state('Log in', ['Log in to your account'], [
      "type('css selector', '#user-name', parameters['USER'], base_interval=0)",
      "type('css selector', '#password', parameters['PASSWORD'], base_interval=0)",
      "click('css selector', '#log-in')",
    ]),
    state('In', ['Welcome to the shop', 'Signed in as visitor'], [`navigate_to('${shop}/products/tea-cup')`]),
    state('Product', ['Made to last, and sent within two days.'], ["click('css selector', '#add-to-basket')"]),
    state('Basket', ['Your basket'], [], 'The cup is in the basket.'),
  ];
}

/** The setting that keeps the shop's password for its origin alone. */
export const keptPassword = (sandbox) =>
  JSON.stringify([{ name: 'PASSWORD', value: PASSWORD, origins: [sandbox] }]);

/** Starts an automaton as the operator, and gives its run. */
export async function startAutomaton(base, { options, ...body }) {
  return created(await post(`${base}/runs`, { options: { ...OPTIONS, ...options }, ...body }, OPERATOR));
}

/** Makes the shop anew, where nothing was done yet. */
export const forgetDeeds = (sandbox) => request(`${sandbox}/site/log`, { method: 'DELETE' });

/** Publishes a variant at the address of the shop that is `shop`. */
export const publish = (sandbox, variant) =>
  request(`${sandbox}/site/published`, { method: 'PUT', body: variant });

/** What was done in the shop, in order. */
export async function deeds(sandbox) {
  const { actions } = await (await request(`${sandbox}/site/log`)).json();
  return actions;
}

/** The operator's view of the day at this Worker, once no run is under way. */
export function closedDay(base) {
  return eventually('every run is settled', async () => {
    const { budget } = await (await request(`${base}/health?budget=1`, { headers: OPERATOR })).json();
    return budget.liveRuns === 0 ? budget : null;
  }, { limitMs: SETTLED_LIMIT_MS });
}
