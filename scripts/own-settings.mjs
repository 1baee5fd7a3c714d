// Settings that `npm start` adds to .dev.vars with real providers, so that keys alone are enough.
import { contactOf } from './contact.mjs';

/** The settings that decide who may start runs. */
const ACCESS = ['OPERATOR_TOKEN', 'PUBLIC'];

/** The limits that a public server has for strangers, each with the value that disables it. */
const LIMITS_OFF = {
  DAILY_SEARCHES: 'none', DAILY_RECOGNITIONS: 'none', DAILY_USD: 'none', LIVE_RUNS_MAX: 'none',
  LIVE_RUNS_PER_CLIENT_MAX: 'none', STARTS_PER_MINUTE_MAX: 'none', PUBLIC_BUDGETS: 'caps',
};

/** Settings to add to `.dev.vars` for a Worker that this machine alone can reach. */
export async function ownSettings(vars, env, say) {
  return { ...(await contactOf(vars, say)), ...accessOf(vars, env) };
}

/**
 * Settings for who may start runs, if `.dev.vars` has none: those of the environment, or else everybody on this machine
 * may. A deployed Worker stays closed until its operator opens it.
 */
function accessOf(vars, env) {
  if (ACCESS.some((name) => vars[name])) return {};
  const said = ACCESS.filter((name) => env[name]);
  if (said.length > 0) return Object.fromEntries(said.map((name) => [name, env[name]]));
  // The users of this machine are not strangers, so limits that are not set are disabled.
  const unset = Object.entries(LIMITS_OFF).filter(([name]) => !vars[name]);
  return { PUBLIC: '1', MCP: vars.MCP ?? 'on', ...Object.fromEntries(unset) };
}
