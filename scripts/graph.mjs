// Runs steps concurrently. A step begins once the steps that it depends on are done and its resources are free. The
// first failure ends all others.

/**
 * The steps that `isWanted` selects, and all that they depend on.
 * @template {{title: string, after?: string[]}} Step
 * @param {Step[]} steps
 */
export function withNeeds(steps, isWanted) {
  const byTitle = new Map(steps.map((step) => [step.title, step]));
  const taken = new Set();
  const take = (step) => {
    if (taken.has(step)) return;
    taken.add(step);
    for (const title of step.after ?? []) {
      if (!byTitle.has(title)) throw new Error(`"${step.title}" comes after "${title}", which is no step`);
      take(byTitle.get(title));
    }
  };
  steps.filter(isWanted).forEach(take);
  return steps.filter((step) => taken.has(step));
}

/** The steps' names on one line; names with the same prefix and a colon share the prefix. */
export function inShort(steps) {
  const groups = new Map();
  for (const { title } of steps) {
    const [, group = '', name] = /^(?:(.+?): )?(.+)$/.exec(title);
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => (group ? `${group} (${names.join(', ')})` : names.join(', '))).join(', ');
}

/**
 * Runs all steps. If several could begin, the first in the list does. `room` says how many steps may concurrently use a
 * resource named in `uses`. A step's `work(told, giveBack)` adds its output for the reader to the list `told`, may give
 * a resource back early, and returns `{ok, ...}`; if it throws, the step has failed.
 * @returns the steps that are `running` and `waiting` when a step fails; otherwise none.
 */
export async function runSteps(steps, { room, onBegin = () => {}, onEnd = () => {} }) {
  const waiting = [...steps];
  const running = new Map();
  const done = new Set();
  const free = { ...room };
  let wake = () => {};
  for (let isGood = true; isGood && waiting.length + running.size > 0; ) {
    for (let next; (next = waiting.find((step) => canBegin(step, done, free))); ) {
      waiting.splice(waiting.indexOf(next), 1);
      onBegin(next);
      running.set(next, begun(next, free, () => wake()));
    }
    if (running.size === 0) throw new Error(`never to begin: ${waiting.map(({ title }) => title).join(', ')}`);
    const woken = new Promise((resolve) => (wake = resolve));
    const outcome = await Promise.race([...running.values(), woken]);
    // The step only gave a resource back, so another one may begin.
    if (outcome === undefined) continue;
    const { step, result } = outcome;
    running.delete(step);
    done.add(step.title);
    isGood = result.ok;
    onEnd(outcome, { running: [...running.keys()], waiting: [...waiting] });
  }
  return { running: [...running.keys()], waiting };
}

function canBegin({ after = [], uses = [] }, done, free) {
  return after.every((title) => done.has(title)) && uses.every((name) => free[name] > 0);
}

/**
 * Begins a step with its resources, and gives these back at the step's end at the latest. The promise never rejects.
 */
async function begun(step, free, wake) {
  const from = Date.now();
  const used = new Set(step.uses);
  for (const name of used) free[name] -= 1;
  const giveBack = (name) => {
    if (!used.delete(name)) return;
    free[name] += 1;
    wake();
  };
  const told = [];
  const work = Promise.resolve().then(() => step.work(told, giveBack));
  const result = await work.catch((error) => ({ ok: false, error }));
  for (const name of used) free[name] += 1;
  return { step, result, told, ms: Date.now() - from };
}
