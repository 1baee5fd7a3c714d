// What a run may do at most, as a form asks for it. Seconds are typed; the wire says `runtimeMs`.

const SCALE = { runtimeMs: 1000 };

/** What differs from the presets. What is no number is sent as it was typed: to refuse it is the server's part. */
export function limitsOf(presets, typed) {
  const options = {};
  for (const [name, preset] of Object.entries(presets)) {
    const value = String(typed[name] ?? '').trim();
    if (value === '' || value === preset) continue;
    options[name] = Number.isFinite(Number(value)) ? Number(value) * (SCALE[name] ?? 1) : value;
  }
  return options;
}

/** From where to where a limit may go, in the unit of its field. */
export function rangeOf(name, { least, most }) {
  const scale = SCALE[name] ?? 1;
  return `${least / scale} to ${most / scale}`;
}
