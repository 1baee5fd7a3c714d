// What `npm start` adds to .dev.vars where real providers answer, so that keys alone are enough.
import { contactOf } from './contact.mjs';

/** Who may start runs: any of these says it. */
const ACCESS = ['OPERATOR_TOKEN', 'PUBLIC'];

/** Settings to add to `.dev.vars` for a Worker that this machine alone can reach. */
export async function ownSettings(vars, env, say) {
  return { ...(await contactOf(vars, say)), ...accessOf(vars, env) };
}

/**
 * Who may start runs, where `.dev.vars` does not say it: what the environment says, or else whoever
 * uses this machine. A deployed Worker stays closed until its operator says who.
 */
function accessOf(vars, env) {
  if (ACCESS.some((name) => vars[name])) return {};
  const said = ACCESS.filter((name) => env[name]);
  return said.length > 0 ? Object.fromEntries(said.map((name) => [name, env[name]])) : { PUBLIC: '1' };
}
