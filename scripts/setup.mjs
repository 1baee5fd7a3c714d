// The complete set-up. Parts that are finished are neither repeated nor mentioned.
import { checkMachine } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureLinters, ensureTarget, ensureTools } from './rust.mjs';

/** Sets up what `npm start` needs. */
export async function setUp() {
  await checkMachine();
  await ensurePackages();
  await ensureTarget();
  await ensureTools();
}

/** Sets up what `npm test` needs in addition. */
export async function setUpForTests() {
  await setUp();
  await ensureLinters();
}
