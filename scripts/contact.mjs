// Determines the contact of whoever runs this server, which Wikimedia's rules require in every request.
import { hostname, userInfo } from 'node:os';
import { root } from './places.mjs';
import { ask } from './processes.mjs';

/**
 * Settings to add if `.dev.vars` has no CONTACT: the address in git's settings, or else this user at this machine, as
 * in mail programs. A deployed Worker needs its own CONTACT.
 */
export async function contactOf(vars, say) {
  if (vars.CONTACT) return {};
  const email = (await ask('git', ['config', 'user.email'], { cwd: root }))?.trim();
  const contact = email || localAddress(userInfo().username, hostname());
  say(`CONTACT is not set; Wikimedia and photo hosts are told that ${contact} asks.`);
  return { CONTACT: contact };
}

/** A user's mail address on this machine. A dot is added to a host without one, since Wikimedia requires it. */
export function localAddress(user, host) {
  return `${user}@${host.includes('.') ? host : `${host}.local`}`;
}
