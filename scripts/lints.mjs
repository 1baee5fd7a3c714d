// Clippy's lints in native code, found while it is compiled: `.cargo/config.toml` has Clippy's driver compile it. To check
// the same code in a command of its own takes a minute and a half of a processor, and this takes seconds.
import { Stop } from './say.mjs';

/** The environment in which cargo compiles so, whatever its user's is. */
export const LINTING = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' };

const COMPLAINT = 'Cargo, the compiler or Clippy warns of something; their words are above.';

/**
 * The work of a step that fails where cargo warns of something. What was compiled before is not compiled again, but cargo
 * says once more what the compiler said of it.
 */
export const denyWarnings = (work) => async (told) => {
  const result = await work(told);
  return result.ok && hasWarning(told) ? { ...result, ok: false, error: new Stop(COMPLAINT) } : result;
};

/** Whether cargo's words, in pieces and perhaps in colours, have a warning of its own, the compiler's or Clippy's. */
export function hasWarning(told) {
  const words = Buffer.concat(told.map((piece) => Buffer.from(piece))).toString();
  return /^(\x1b\[[\d;]*m)*warning\b/m.test(words);
}
