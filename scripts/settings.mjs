// Reads settings: ports, those in `.dev.vars`, and those that the sandbox reports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** If any of these is in `.dev.vars`, the real providers are used. */
const KEYS = [
  'AWS_ACCESS_KEY_ID', 'BRAVE_API_KEY', 'GOOGLE_API_KEY', 'SERPAPI_API_KEY', 'SERPER_API_KEY',
  'GEMINI_API_KEY', 'CLOUDFLARE_API_TOKEN', 'OPENAI_API_KEY',
];
/** The settings with which the environment may choose the sandbox's providers for one start. */
const CHOICES = ['IMAGE_SEARCH', 'PLANNER', 'RECOGNISER'];

/** A port from the environment. */
export function portSetting(env, name, usual) {
  const text = env[name] ?? '';
  if (text === '') return usual;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Stop(`${name} must be a number from 1 to 65535, not "${text}".`);
}

/** Parses a `.dev.vars` file: `KEY=value` lines, as dotenv reads them. */
export function parseDevVars(text) {
  const found = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n#]*)/gm;
  for (const [, name, raw] of text.matchAll(line)) {
    const value = raw.trim();
    found[name] = /^(["'`])[^]*\1$/.test(value) ? value.slice(1, -1) : value;
  }
  return found;
}

/** The variables of the checkout's `.dev.vars`; empty if there is no such file. */
export async function devVars() {
  return parseDevVars(await readFile(join(root, '.dev.vars'), 'utf8').catch(() => ''));
}

/** The keys of real providers that have a value. */
export function providerKeys(vars) {
  return KEYS.filter((name) => vars[name]);
}

/** The settings that choose among the sandbox's providers, as far as the environment has them. */
export function choices(env) {
  const chosen = CHOICES.filter((name) => env[name]);
  return Object.fromEntries(chosen.map((name) => [name, env[name]]));
}

/** The arguments that pass settings to `wrangler dev`, which splits each at its first colon. */
export function varArguments(settings) {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Stop(`"${name}" cannot be the name of a setting.`);
    return ['--var', `${name}:${value}`];
  });
}

/** Parses the line in which the sandbox reports its port and settings. */
export function parseSandboxLine(line) {
  try {
    const { listening, world, people, photos, example, settings } = JSON.parse(line);
    new URL(listening);
    return { listening, world, people, photos, example, settings: { ...settings } };
  } catch {
    throw new Stop(`The sandbox's first line is not what was expected: ${line.slice(0, 200)}`);
  }
}

/** An address that starts a run for the example's names. */
export function investigateLink(base, example) {
  const query = new URLSearchParams({ a: example.a, b: example.b });
  return `${base}/investigate?${query}`;
}
