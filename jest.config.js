const { readFileSync } = require('node:fs');

// Tests make much garbage. With more room for new objects, the processes of Jest use a seventh less CPU.
process.env.NODE_OPTIONS ??= '--max-semi-space-size=64';

const { jsc, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const jsx = {
  ...swc,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};

const project = (displayName, ...folders) => ({
  displayName,
  rootDir: __dirname,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.{ts,tsx}`),
  testEnvironment: '<rootDir>/test/harness/environment.js',
  runtime: '<rootDir>/test/harness/runtime.js',
  transform: { '\\.m?[jt]s$': '@swc/jest', '\\.tsx$': ['@swc/jest', jsx] },
  // The client of clients/typescript imports its files as ES modules do, with the name that they have after the build.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
});
// These projects share the servers that the global setup starts.
const withServers = {
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
};

module.exports = {
  projects: [
    // Unit tests start no process of the product and need no build.
    project('unit', 'unit'),
    { ...project('db', 'db', 'activities', 'workflows'), ...withServers },
    { ...project('end-to-end', 'end-to-end', 'local'), ...withServers },
    { ...project('outages', 'outages'), ...withServers },
  ],
  // One more than the two cores of CI, because many tests wait.
  maxWorkers: 3,
  // This reporter prints the tests that have been running for more than a minute, so that a hanging test is known.
  reporters: ['default', '<rootDir>/test/harness/slow-test-reporter.js'],
  // Each wait fails within a minute and names what it waited for (test/harness/wait-for.ts). This limit has room for
  // tests with several waits on a busy machine. It is not a performance limit.
  testTimeout: 120_000,
};
