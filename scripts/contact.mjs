// How Wikimedia can reach whoever runs this: its rules want that in every request.
import { hostname, userInfo } from 'node:os';
import { root } from './places.mjs';
import { ask } from './processes.mjs';

/**
 * Settings to add where `.dev.vars` names no CONTACT: the address in git's settings, or else this
 * user at this machine, as mail programs have it. A deployed Worker needs a CONTACT of its own.
 */
export async function contactOf(vars, say) {
  if (vars.CONTACT) return {};
  const email = (await ask('git', ['config', 'user.email'], { cwd: root }))?.trim();
  const contact = email || localAddress(userInfo().username, hostname());
  say(`CONTACT is not set; Wikimedia and photo hosts are told that ${contact} asks.`);
  return { CONTACT: contact };
}

/** A user of a machine. Wikimedia takes no host without a dot for an address. */
export function localAddress(user, host) {
  return `${user}@${host.includes('.') ? host : `${host}.local`}`;
}
