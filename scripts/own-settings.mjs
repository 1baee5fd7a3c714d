// What `npm start` adds to .dev.vars where real providers answer, so that keys alone are enough.
import { contactOf } from './contact.mjs';

/** The settings that say who may start runs. */
const ACCESS = ['OPERATOR_TOKEN', 'PUBLIC'];

/** What holds for strangers where everybody may start runs, and what switches each of it off. */
const LIMITS_OFF = {
  DAILY_SEARCHES: 'none', DAILY_RECOGNITIONS: 'none', DAILY_USD: 'none', LIVE_RUNS_MAX: 'none',
  LIVE_RUNS_PER_CLIENT_MAX: 'none', STARTS_PER_MINUTE_MAX: 'none', PUBLIC_BUDGETS: 'caps',
};

/** Settings to add to `.dev.vars` for a Worker that this machine alone can reach. */
export async function ownSettings(vars, env, say) {
  return { ...(await contactOf(vars, say)), ...accessOf(vars, env) };
}

/**
 * The access to starting runs where `.dev.vars` does not say it: as the environment says, or else for everybody
 * on this machine. A deployed Worker stays closed until its operator opens it.
 */
function accessOf(vars, env) {
  if (ACCESS.some((name) => vars[name])) return {};
  const said = ACCESS.filter((name) => env[name]);
  if (said.length > 0) return Object.fromEntries(said.map((name) => [name, env[name]]));
  // Whoever uses this machine is no stranger.
  const unset = Object.entries(LIMITS_OFF).filter(([name]) => !vars[name]);
  return { PUBLIC: '1', MCP: vars.MCP ?? 'on', ...Object.fromEntries(unset) };
}
