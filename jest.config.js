const { readdirSync, readFileSync } = require('node:fs');

// Packages that contain only ES modules must be transformed, because jest runs CommonJS.
const esmOnly = ['jose', '@seriousme', 'd3-', 'internmap'];

const { jsc, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const jsx = {
  ...swc,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};

// `test/unit/people.test.ts` runs the files of `test/unit/people`, which load their modules once instead of once per
// file. A file that the command line names runs by itself.
const namesUnitFile = process.argv.some((argument) => /unit\/\w+\//.test(argument));
const entries = readdirSync(`${__dirname}/test/unit`).flatMap(
  (name) => name.match(/^\w+(?=\.test\.ts$)/) ?? [],
);
const runByEntries = namesUnitFile ? [] : entries.map((name) => `<rootDir>/test/unit/${name}/`);

const shared = {
  rootDir: __dirname,
  transform: { '\\.m?[jt]s$': '@swc/jest', '\\.tsx$': ['@swc/jest', jsx] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})[^/]*/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
};

module.exports = {
  projects: [
    // Unit tests start no process and need no build.
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/unit/**/*.test.{ts,tsx}'],
      testPathIgnorePatterns: ['/node_modules/', ...runByEntries],
    },
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
