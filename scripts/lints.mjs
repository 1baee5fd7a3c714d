// Clippy's lints in native code, found during compilation: `.cargo/config.toml` makes Clippy's driver the compiler.
// This takes seconds of processor time, while a separate check takes a minute and a half.
import { Stop } from './say.mjs';

/** The environment variable that makes cargo compile with Clippy's driver. It overrides the user's configuration. */
export const LINTING = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' };

const COMPLAINT = 'Cargo, the compiler or Clippy warns of something; their words are above.';

/**
 * The work of a step that fails if cargo warns. Compiled crates are not recompiled, but cargo repeats their warnings.
 */
export const denyWarnings = (work) => async (told) => {
  const result = await work(told);
  return result.ok && hasWarning(told) ? { ...result, ok: false, error: new Stop(COMPLAINT) } : result;
};

/** Whether cargo's output, possibly in chunks and with colours, contains a warning of cargo, the compiler or Clippy. */
export function hasWarning(told) {
  const words = Buffer.concat(told.map((piece) => Buffer.from(piece))).toString();
  return /^(\x1b\[[\d;]*m)*warning\b/m.test(words);
}
