// What the tests of the MCP server share: messages of both eras, and the reader of their answers.
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createParser } from 'eventsource-parser';
import { request } from './support.mjs';

export const MODERN = '2026-07-28';
const ACCEPT = 'application/json, text/event-stream';
const PREFIX = 'io.modelcontextprotocol';

let ids = 0;
export const nextId = () => (ids += 1);

/** Posts a message as it is. */
export function postMessage(base, message, headers = {}) {
  const all = { 'content-type': 'application/json', accept: ACCEPT, ...headers };
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return request(`${base}/mcp`, { method: 'POST', headers: all, body });
}

/** Asks in the newest revision. `told` wants progress, `headers` are sent beside those of the protocol. */
export function ask(base, method, params = {}, { told = false, headers = {}, id = nextId(), meta = {} } = {}) {
  const _meta = {
    [`${PREFIX}/protocolVersion`]: MODERN, [`${PREFIX}/clientCapabilities`]: {}, ...meta,
    ...(told ? { progressToken: id } : {}),
  };
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
  const mirrored = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
  if (method === 'tools/call') mirrored['mcp-name'] = params.name;
  return postMessage(base, message, { ...mirrored, ...headers });
}

/** Lists the tools. */
export async function toolsOf(base) {
  const { result } = await (await ask(base, 'tools/list')).json();
  return result.tools;
}

/** What a tool of these promises of its answers, checked by a validator that others wrote. */
export function assertAsPromised(tools, name, result) {
  const { outputSchema } = tools.find((tool) => tool.name === name);
  const validate = new Ajv2020({ strict: false }).compile(outputSchema);
  assert.ok(validate(result.structuredContent), JSON.stringify(validate.errors));
}

/** Calls a tool in the newest revision; promises its result with the progress before it. */
export async function call(base, name, args, options = {}) {
  const answer = await ask(base, 'tools/call', { name, arguments: args }, options);
  assert.equal(answer.status, 200, await answer.clone().text());
  return answered(answer, options.onMessage);
}

/** Reads the answer to a call, whether it is one document or a stream. */
export async function answered(answer, onMessage = () => {}) {
  if (!answer.headers.get('content-type').startsWith('text/event-stream')) {
    const message = await answer.json();
    return { ...message, progress: [], events: [] };
  }
  const { messages, events } = await messagesOf(answer, onMessage);
  const progress = messages.filter(({ method }) => method === 'notifications/progress');
  return { ...messages.at(-1), progress: progress.map(({ params }) => params), events };
}

/** The messages of a stream, to its end or until `onMessage` returns true; then the connection is closed. */
export async function messagesOf(answer, onMessage = () => {}) {
  const [messages, events] = [[], []];
  let isEnough = false;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      events.push({ id, data });
      if (!data) return;
      messages.push(JSON.parse(data));
      isEnough ||= onMessage(messages.at(-1)) === true;
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of answer.body) {
    parser.feed(decoder.decode(piece, { stream: true }));
    if (isEnough) break;
  }
  return { messages, events };
}

/** A client of an earlier revision, with a session. */
export class Session {
  static async open(base, version = '2025-11-25', headers = {}) {
    const params = {
      protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' },
    };
    const message = { jsonrpc: '2.0', id: nextId(), method: 'initialize', params };
    const answer = await postMessage(base, message, headers);
    assert.equal(answer.status, 200, await answer.clone().text());
    const { result } = await answer.json();
    const session = new Session(base, answer.headers.get('mcp-session-id'), result, headers);
    assert.equal((await session.note('notifications/initialized')).status, 202);
    return session;
  }

  constructor(base, id, result, headers) {
    Object.assign(this, { base, id, result });
    this.headers = {
      ...headers, 'mcp-session-id': id, 'mcp-protocol-version': result.protocolVersion,
    };
  }

  note(method, params) {
    return postMessage(this.base, { jsonrpc: '2.0', method, ...(params ? { params } : {}) }, this.headers);
  }

  ask(method, params = {}, id = nextId()) {
    return postMessage(this.base, { jsonrpc: '2.0', id, method, params }, this.headers);
  }

  /** Comes back to a call after this event. */
  resume(lastEventId) {
    const headers = { ...this.headers, accept: 'text/event-stream', 'last-event-id': lastEventId };
    return request(`${this.base}/mcp`, { headers });
  }

  close() {
    return request(`${this.base}/mcp`, { method: 'DELETE', headers: this.headers });
  }
}
