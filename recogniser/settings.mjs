// Reads the service's settings from the environment.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A setting is missing or wrong; the message says what to do. */
export class SettingsFault extends Error {}

/** Addresses that only this machine reaches. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Returns `{ host, port, token, folder, contact, wikidata, commons }`. */
export function settingsOf(env) {
  const host = env.HOST || '127.0.0.1';
  const token = env.REFERENCES_TOKEN || null;
  if (!token && !LOOPBACK.has(host)) {
    throw new SettingsFault(`HOST is ${host}, which others reach, so REFERENCES_TOKEN must be set.`);
  }
  const contact = env.CONTACT ?? '';
  if (!isContact(contact)) {
    throw new SettingsFault('CONTACT must be your mail or web address: Wikimedia asks every client for one.');
  }
  const folder = env.REFERENCES_FOLDER || join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'),
    'visual-degrees', 'people');
  return {
    host, port: portOf(env.PORT || '8790'), token, folder, contact,
    wikidata: addressOf(env, 'WIKIDATA_BASE', 'https://www.wikidata.org'),
    commons: addressOf(env, 'COMMONS_BASE', 'https://commons.wikimedia.org'),
  };
}

/** Returns whether Wikimedia can reach somebody there: a mail or web address in ASCII, or `User:NAME`. */
export function isContact(text) {
  const isPlain = /^[\x20-\x27\x2a-\x7e]+$/.test(text) && text.length <= 200;
  return isPlain && /^User:.|.\../.test(text);
}

function portOf(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SettingsFault(`PORT must be a number from 0 to 65535, not "${text}".`);
}

function addressOf(env, name, usual) {
  const text = env[name] || usual;
  if (/^https?:\/\/[^\s/]+/.test(text)) return text;
  throw new SettingsFault(`${name} must be an address like ${usual}, not "${text}".`);
}
