// One worker, so that nothing runs beside a test. Its browser stays open from test to test, as that of automata does; only
// a test that fails ends it.
export default {
  testDir: '.',
  outputDir: process.env.RESULTS,
  workers: 1,
  timeout: 10_000,
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: 5_000,
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
};
