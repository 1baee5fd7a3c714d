// `npm run gallery -- --most-linked 2000`, `--add Q42` or `--remove Q42`: the people whom the recogniser compares every
// photo with (recogniser/gallery.mjs).
import { join } from 'node:path';
import { contactOf } from './contact.mjs';
import { node, root } from './places.mjs';
import { run } from './processes.mjs';
import { runProgram } from './program.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureRecogniser, recogniserFolder } from './recogniser.mjs';
import { say } from './say.mjs';
import { devVars } from './settings.mjs';

await runProgram(async (args) => {
  await ensurePackages();
  await ensureRecogniser();
  const vars = await devVars();
  const env = { ...process.env, ...vars, ...(await contactOf({ ...process.env, ...vars }, say)) };
  const { ok } = await run(node, [join(recogniserFolder, 'gallery.mjs'), ...args], { cwd: root, env, tee: true });
  process.exitCode = ok ? 0 : 1;
});
