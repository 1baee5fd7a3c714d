// Runs a Worker alone in `workerd`, as the platform does. The process of `wrangler dev` also has wrangler's own
// Workers, which simulate KV, assets and so on, and need as much of it as the measured Worker.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as places from '../scripts/places.mjs';
import { HOST } from '../scripts/ports.mjs';
import { compile, launch } from '../scripts/processes.mjs';
import { healthy, serviceOf, wranglerEnvironment } from '../scripts/services.mjs';

const START_LIMIT_MS = 30_000;
/** A KV that accepts every write and stores nothing, because no run reads what was written. */
const KV = `export default {
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(null, { status: request.method === 'GET' ? 404 : 200 });
  },
};`;

/**
 * Starts the Worker of a wrangler configuration, and waits until it responds at `path`. `objects` are its classes of
 * Durable Objects by binding.
 */
export async function startAlone(options) {
  const { config, folder, port, settings, objects = {}, path = '/', output = 'inherit' } = options;
  await mkdir(join(folder, 'objects'), { recursive: true });
  await compile(
    places.node,
    [places.wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', folder],
    'The Worker could not be bundled.',
    { env: wranglerEnvironment(process.env), cwd: places.root },
  );
  const file = join(folder, 'workerd.capnp');
  await writeFile(join(folder, 'kv.js'), KV);
  const worker = await description(await readFile(config, 'utf8'), folder, settings, objects);
  await writeFile(file, `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = .main),
        (name = "kv", worker = (modules = [(name = "kv.js", esModule = embed "kv.js")],
          compatibilityDate = "2026-11-01")),
        (name = "internet", network = (allow = ["public", "private", "local"])),
        (name = "objects", disk = (path = ${text(join(folder, 'objects'))}, writable = true)),
      ],
      sockets = [(name = "http", address = "${HOST}:${port}", http = (), service = "main")],
    );
    const main :Workerd.Worker = (${worker});`);
  const child = launch(places.workerd, ['serve', '--experimental', file], {
    stdout: output, stderr: output,
  });
  const service = serviceOf(child, 'workerd');
  const base = `http://${HOST}:${port}`;
  const answered = healthy(`${base}${path}`, service);
  const health = await service.before(answered, START_LIMIT_MS, 'does not answer');
  return { ...service, base, health };
}

/** Returns `workerd`'s description of the Worker: the modules that wrangler bundled, with the settings of its file. */
async function description(config, folder, settings, objects) {
  const main = `${basename(setting(config, 'main')).replace(/\.\w+$/, '')}.js`;
  const wasm = (await readdir(folder)).filter((name) => name.endsWith('.wasm'));
  const modules = [
    `(name = "${main}", esModule = embed "${main}")`,
    ...wasm.map((name) => `(name = "./${name}", wasm = embed "${name}")`),
  ];
  const classes = Object.entries(objects);
  const bindings = [
    '(name = "KV", kvNamespace = "kv")', '(name = "ASSETS", service = "kv")',
    ...classes.map(([name, kind]) => `(name = "${name}", durableObjectNamespace = "${kind}")`),
    ...Object.entries(settings).map(([name, value]) => `(name = "${name}", text = ${text(value)})`),
  ];
  const namespaces = classes.map(([, kind]) =>
    `(className = "${kind}", uniqueKey = "${kind}", enableSql = true)`);
  return `
    modules = [${modules.join(', ')}],
    compatibilityDate = "${setting(config, 'compatibility_date')}",
    compatibilityFlags = [${/^compatibility_flags = \[(.*)\]$/m.exec(config)[1]}],
    durableObjectNamespaces = [${namespaces.join(', ')}],
    ${classes.length > 0 ? 'durableObjectStorage = (localDisk = "objects"),' : ''}
    bindings = [${bindings.join(', ')}]`;
}

const setting = (config, name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(config)[1];
const text = (value) => JSON.stringify(String(value));
