// The complete set-up. Finished parts are not repeated or mentioned.
import { checkMachine } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureLinters, ensureTarget, ensureTools } from './rust.mjs';

/** What `npm start` needs. */
export async function setUp() {
  await checkMachine();
  await ensurePackages();
  await ensureTarget();
  await ensureTools();
}

/** What `npm test` needs in addition. */
export async function setUpForTests() {
  await setUp();
  await ensureLinters();
}
