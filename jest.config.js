// Packages that contain only ES modules must be transformed, because jest runs CommonJS.
const esmOnly = ['jose', '@seriousme', 'd3-', 'internmap'];

const { jsc, ...swc } = JSON.parse(require('node:fs').readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const jsx = {
  ...swc,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};

const shared = {
  rootDir: __dirname,
  transform: { '\\.m?[jt]s$': '@swc/jest', '\\.tsx$': ['@swc/jest', jsx] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})[^/]*/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
};

module.exports = {
  projects: [
    // Unit tests start no process and need no build.
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.{ts,tsx}'] },
    // Integration tests share the Postgres and the Temporal server that the global setup starts.
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*.test.{ts,tsx}'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/unit/'],
      globalSetup: '<rootDir>/test/harness/global-setup.ts',
      globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
    },
  ],
  testSequencer: '<rootDir>/test/harness/sequencer.js',
  // One more than the two cores of CI, because many tests wait.
  maxWorkers: 3,
  // This reporter prints the tests that have been running for more than a minute, so that a hanging test is known.
  reporters: ['default', '<rootDir>/test/harness/slow-test-reporter.js'],
  // Each wait fails within a minute and names what it waited for (test/harness/wait-for.ts). This limit has room for
  // tests with several waits on a busy machine. It is not a performance limit.
  testTimeout: 120_000,
};
