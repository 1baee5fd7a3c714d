// Counts passed and failed tests in the output of cargo and node.

/** The numbers of tests, summed over every summary in the output of `cargo test` or `node --test`. */
export function countTests(output) {
  // eslint-disable-next-line no-control-regex
  const plain = output.replace(/\x1b\[[0-9;]*m/g, '');
  const cargo = /^test result: \S+ (?<passed>\d+) passed; (?<failed>\d+) failed;/gm;
  const node = /^(?:ℹ|#) (?<word>pass|fail|cancelled) (?<number>\d+)$/gm;
  let passed = 0;
  let failed = 0;
  for (const { groups } of plain.matchAll(cargo)) {
    passed += Number(groups.passed);
    failed += Number(groups.failed);
  }
  for (const { groups } of plain.matchAll(node)) {
    if (groups.word === 'pass') passed += Number(groups.number);
    else failed += Number(groups.number);
  }
  return { passed, failed };
}

/** Adds the counts of a step. A step that fails without a failed test counts as one failure. */
export function addStep(sum, { ok, output }) {
  const { passed, failed } = countTests(output);
  return {
    passed: sum.passed + passed,
    failed: sum.failed + (ok || failed > 0 ? failed : 1),
  };
}
