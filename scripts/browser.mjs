// The browser that automata drive: a Chromium of this machine, started and stopped with `npm start`.
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { HOST } from './ports.mjs';
import { launch } from './processes.mjs';
import { serviceOf } from './services.mjs';

const START_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

/**
 * The arguments of Chromium: no window, no persistent profile, and no network traffic except that of its pages, through
 * their proxies.
 */
const ARGUMENTS = [
  '--headless=new', '--disable-gpu', '--remote-debugging-port=0', `--remote-debugging-address=${HOST}`,
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--window-size=1280,800',
  // Without these, pages take a browser without a window for one without a mouse, and show what is made for touch.
  '--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2', 'about:blank',
];

/** Starts a browser if one is installed; returns its address, or `null`. */
export async function startBrowser(env = process.env) {
  const chromium = await findChromium(env);
  if (chromium === null) return null;
  const profile = await mkdtemp(join(tmpdir(), 'visual-degrees-browser-'));
  // The profile is also removed after Ctrl-C.
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }));
  // Chromium refuses to use its sandbox as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, `--user-data-dir=${profile}`, ...ARGUMENTS];
  const child = launch(chromium, args, { stdout: 'ignore', stderr: 'ignore' });
  const service = serviceOf(child, 'The browser');
  const remove = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
  service.gone.catch(remove).catch(() => {});
  const port = await service.before(portOf(profile, service), START_LIMIT_MS, 'has not said its port');
  return { ...service, address: `http://${HOST}:${port}` };
}

/** The settings with which a Worker drives the browser: strangers may start stored automata, the operator any. */
export function browserSettings(browser, token) {
  if (!browser) return {};
  return { BROWSER_CDP: browser.address, OPERATOR_TOKEN: token, PUBLIC_AUTOMATA: 'stored' };
}

/** The sentence that tells the user whether there is a browser for automata. */
export function aboutBrowser(browser) {
  return browser
    ? `Automata drive a browser of this machine at ${browser.address}.`
    : 'No Chrome or Chromium was found, so automata cannot run; CHROMIUM can name one.';
}

/** The port on which the browser listens, which it writes into its profile. */
async function portOf(profile, service) {
  let over = false;
  service.gone.catch(() => (over = true));
  while (!over) {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    const port = Number(text.split('\n')[0]);
    if (port > 0) return port;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return null;
}
