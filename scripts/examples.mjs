// The automata that `npm start` stores, so that a visitor of /automaton finds some to run: they act on the sandbox's site.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** The password of the sandbox's shop, which the Worker keeps for the sandbox's origin alone. */
const PASSWORD = 'sandbox-site-password';
const USER = 'visitor';
const STORED_MS_MAX = 20_000;

/** The setting with the secret that the examples need. */
export const exampleSecrets = (sandbox) => ({
  AUTOMATON_SECRETS: JSON.stringify([{ name: 'PASSWORD', value: PASSWORD, origins: [sandbox] }]),
});

/** Returns the examples by their names; `sandbox` is its origin. */
export async function examples(sandbox) {
  const file = join(root, 'tests', 'automata', 'shop.json');
  const { automaton, prompts } = JSON.parse(await readFile(file, 'utf8'));
  const shopping = (variant) => ({
    automaton, parameters: { SHOP: `${sandbox}/site/${variant}`, USER }, origins: [sandbox],
  });
  return {
    'buy-a-cup': { ...shopping('v0'), description: 'Logs in at the shop, and puts a cup into the basket.' },
    'buy-a-cup-in-german': {
      ...shopping('v4'), prompts, options: { regenerate: true, noStatesTimeoutMs: 2_000 },
      description: 'The same in a shop that speaks German by now: models make anew what fails.',
    },
    'send-a-letter': {
      automaton: letter(`${sandbox}/site/letter/`),
      description: 'Fills in a form that is in a closed shadow tree, and presses a button in a frame.',
    },
  };
}

function letter(address) {
  const state = (name, checks, actions, end = '') => ({ name, description: '', checks, actions, end_state: end });
  return [
    state('Begin', [{ type: 'url', value: 'about:blank' }], [`navigate_to('${address}')`]),
    state('Letter', [{ type: 'role', value: 'button[name="Send it"]' }, { type: 'page_text', value: 'is sent', not: true }], [
      "type('role', 'textbox[name=\"To\"]', 'Ada', base_interval=0)",
      "type('role', 'textbox[name=\"What to say\"]', 'It works.', base_interval=0)",
      "click('role', 'iframe#stamp >> button[name=\"Put a stamp on it\"]')",
      "click('role', 'button[name=\"Send it\"]')",
      "extract('SAID', 'css selector', '#status')",
    ]),
    state('Sent', [{ type: 'page_text', value: 'The letter to Ada is sent.' }], [], 'The letter is sent.'),
  ];
}

/** Stores the examples at a Worker with the operator's token. */
export async function storeExamples(base, token, sandbox) {
  for (const [name, document] of Object.entries(await examples(sandbox))) {
    const answer = await fetch(`${base}/automata/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(document),
      signal: AbortSignal.timeout(STORED_MS_MAX),
    });
    if (!answer.ok) throw new Stop(`The example ${name} could not be stored: ${await answer.text()}`);
  }
}
