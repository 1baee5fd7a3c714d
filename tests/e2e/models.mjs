// A Worker whose binding `AI` is another Worker beside it, as the platform's own models are: objects
// travel as JavaScript has them, so that a schema that came as a Map would be seen to be lost.
import { workerBeside } from './beside.mjs';

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

/** The project's Worker with that binding. */
export const workerWithModels = (options) =>
  workerBeside({ ...options, binding: 'AI', entrypoint: 'Ai', source: MODELS });
