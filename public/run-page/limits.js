// Reads the limits of a run from a form. Times are typed in seconds, while requests have `runtimeMs`.

const SCALE = { runtimeMs: 1000 };

/** The values that differ from the presets. An invalid number is sent as typed, for the server to refuse. */
export function limitsOf(presets, typed) {
  const options = {};
  for (const [name, preset] of Object.entries(presets)) {
    const value = String(typed[name] ?? '').trim();
    if (value === '' || value === preset) continue;
    options[name] = Number.isFinite(Number(value)) ? Number(value) * (SCALE[name] ?? 1) : value;
  }
  return options;
}

/** The range of a limit, in the unit of its field. */
export function rangeOf(name, { least, most }) {
  const scale = SCALE[name] ?? 1;
  return `${least / scale} to ${most / scale}`;
}
