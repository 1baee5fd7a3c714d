// A server that plays a recorded run to the page of workflows, with the headers that the page is served with:
// what a browser makes of it does not hang on the tools that a real run would call.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { root } from '../../src/launch/places.mjs';
import { tarOf } from '../page/tar.mjs';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
export const recorded = JSON.parse(await readFile(join(root, 'tests', 'page', 'orders-run.json'), 'utf8'));
/** The first tool that answers gives a picture, too. */
const picture = await readFile(join(root, 'src', 'doctor', 'nobody.png'));
const digest = createHash('sha256').update(picture).digest('hex');
recorded.completed.find(({ type }) => type === 'tool_result').payload.images = [digest];
const failing = [
  ...recorded.completed.slice(0, recorded.completed.findIndex(({ nodeName }) => nodeName === 'Send report') + 1),
  ...recorded.failed,
];

/** The policies that `_headers` says for the page of workflows, and for what checks a file. */
async function policies() {
  const headers = await readFile(join(root, 'public', '_headers'), 'utf8');
  const of = (path) => {
    const [, rules] = headers.split(`\n${path}\n`);
    return /\n {2}Content-Security-Policy: (.*)/.exec(rules)[1];
  };
  const [page, verifier] = [of('/workflow'), of('/verifier/*')];
  return (path) => (path.startsWith('/verifier/') ? verifier : page);
}

/**
 * Serves `dist` and plays: a limit of one step is refused at a node, one second fails. `everyMs` is
 * the time between two events. Gives `{base, asked, close}`: `asked` are the bodies of `POST /runs`.
 */
export async function playWorkflows({ everyMs }) {
  const [runs, asked, rules] = [new Map(), [], await policies()];
  const routes = [
    [/^GET \/health$/, (_, res) => json(res, 200, { version: '1' })],
    [/^GET \/workflows$/, (_, res) => json(res, 200, {
      workflows: [{ name: 'orders', nodes: 10, description: 'Goes through the open orders.' }],
      servers: [{ name: 'desk' }, { name: 'calculator' }],
    })],
    [/^POST \/runs$/, async (req, res) => create(JSON.parse(await bodyOf(req)), res)],
    [/^POST \/runs\/([^/]+)\/stop$/, (_, res, run) => {
      runs.get(run).isStopped = true;
      json(res, 202, {});
    }],
    [/^GET \/runs\/([^/]+)\/events$/, (_, res, run) => stream(run, res)],
    [/^GET \/runs\/([^/]+)\/trace$/, (_, res) => {
      res.writeHead(200, { 'Content-Type': 'application/x-tar' });
      res.end(tarOf([[`orders/2026-11-23_10-00-00_AAAAAAAAAAAA/open_list/artifacts/${digest}.png`, picture]]));
    }],
    [/^GET \/runs\/([^/]+)$/, (_, res, run) => {
      const { workflow, question } = runs.get(run) ?? {};
      if (!workflow) return json(res, 404, { detail: 'There is no such run.' });
      return json(res, 200, { workflow, dialect: question.options.dialect, servers: question.servers, status: 'running' });
    }],
  ];

  function create(question, res) {
    asked.push(question);
    if (question.options.steps === 1) {
      const about = [recorded.workflow.nodes[3].name];
      const detail = `The workflow cannot be executed. If node '${about}' is missing one of its two edges.`;
      return json(res, 409, { detail, field: 'workflow', finding: { kind: 'MissingIfBranch', about } });
    }
    const run = `s${runs.size + 1}.${'A'.repeat(22)}`;
    const workflow = typeof question.workflow === 'string' ? recorded.workflow : question.workflow;
    const events = question.options.runtimeMs === 1_000 ? failing : recorded.completed;
    runs.set(run, { workflow, question, events, isStopped: false });
    return json(res, 202, { run, secret: 'of this run' });
  }

  async function stream(name, res) {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const run = runs.get(name);
    const send = (n, event) => res.write(`id: ${name}.${n}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const [i, event] of run.events.entries()) {
      if (res.destroyed) return;
      if (run.isStopped) {
        send(i + 1, { type: 'stopped', runId: name, payload: { spent: {}, events_left_out: 0 } });
        break;
      }
      send(i + 1, event);
      await new Promise((resolve) => { setTimeout(resolve, everyMs); });
    }
    res.end();
  }

  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url, 'http://here');
    const asks = `${req.method} ${pathname}`;
    const [route, answer] = routes.find(([pattern]) => pattern.test(asks)) ?? [];
    if (answer) return answer(req, res, route.exec(asks)[1]);
    return file(res, pathname, rules);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${server.address().port}`, asked, close };
}

async function file(res, pathname, rules) {
  const name = pathname === '/' ? '/index.html' : extname(pathname) ? pathname : `${pathname}.html`;
  const bytes = await readFile(join(root, 'dist', name)).catch(() => null);
  if (!bytes) return json(res, 404, {});
  res.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain', 'Content-Security-Policy': rules(pathname) });
  return res.end(bytes);
}

function json(res, status, body) {
  res.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
  res.end(JSON.stringify(body));
}

async function bodyOf(req) {
  let body = '';
  for await (const piece of req) body += piece;
  return body;
}
