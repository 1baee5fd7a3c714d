// The operator's workflows, and the MCP servers that a run may be given.

import { list, number, record, text } from '../safe.js';
import { count } from '../words.js';

const WORKFLOWS_MAX = 200;
const SERVERS_MAX = 50;

/** `{mayChooseServers, workflows, servers}` of a text; empty lists if members are missing. */
export function storedOf(written) {
  let told;
  try {
    told = record(JSON.parse(written));
  } catch {
    return { mayChooseServers: true, workflows: [], servers: [] };
  }
  const workflows = list(told.workflows).map(record).map(({ name, nodes, description }) => (
    { name: text(name), nodes: number(nodes), description: text(description) }
  ));
  const servers = list(told.servers).map((one) => text(record(one).name));
  return {
    // Callers other than the operator may have to use the servers that the operator has chosen.
    mayChooseServers: text(told.startedBy) !== 'stored',
    workflows: workflows.filter(({ name }) => name).slice(0, WORKFLOWS_MAX),
    servers: [...new Set(servers.filter(Boolean))].slice(0, SERVERS_MAX),
  };
}

/** The description of a stored workflow. */
export const aboutOf = ({ nodes, description }) =>
  [nodes !== null && count(nodes, 'node'), description].filter(Boolean).join(': ');
