// All of the set-up. What is finished is not done again, and then nothing is said about it.
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

/** What `npm test` needs beside that. */
export async function setUpForTests() {
  await setUp();
  await ensureLinters();
}
