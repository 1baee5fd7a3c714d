// A Worker whose binding `AI` is another Worker beside it, as the platform's own models are: objects
// travel as JavaScript has them, so that a schema that came as a Map would be seen to be lost.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configIn } from './config.mjs';
import { ownWorker } from './support.mjs';

const MODELS = `
import { WorkerEntrypoint } from 'cloudflare:workers';

export default { fetch: () => new Response('models') };

export class Ai extends WorkerEntrypoint {
  run(model, inputs) {
    if (model === '@cf/says/nothing') return undefined;
    const schema = JSON.parse(JSON.stringify(inputs.response_format?.json_schema ?? {}));
    if (!model.startsWith('@cf/')) throw new Error('5007: No such model ' + model);
    if (inputs instanceof Map || !schema.properties) throw new Error('5006: no schema arrived');
    const data = /<data>\\n(.*)\\n<\\/data>/.exec(inputs.messages.at(-1).content)[1];
    const { candidates } = JSON.parse(data);
    const response = {
      nextCandidates: [candidates.at(-1).name], searchQueries: [], hypotheses: [],
      narration: 'The last of the table.',
    };
    return { response, usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } };
  }
}
`;

/** The project's Worker with that binding, started from a configuration of its own. */
export async function workerWithModels({ settings, folder }) {
  const binding = '\n[[services]]\nbinding = "AI"\nservice = "models"\nentrypoint = "Ai"\n';
  const main = await configIn(folder, binding);
  const models = join(folder, 'models.toml');
  await writeFile(join(folder, 'models.js'), MODELS);
  await writeFile(models, 'name = "models"\nmain = "models.js"\ncompatibility_date = "2026-11-01"\n');
  return ownWorker({ settings, folder, args: ['--config', main, '--config', models] });
}
