// Packages that ship only ES modules have to be transformed for jest's CommonJS.
const esmOnly = ['jose', '@seriousme'];

module.exports = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '\\.[jt]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
  testSequencer: '<rootDir>/test/harness/sequencer.js',
  // One more than the two cores of CI: many tests wait for a fault to pass.
  maxWorkers: 3,
  // In a log without a terminal, the default reporter names a file only when it has ended.
  reporters: ['default', '<rootDir>/test/harness/slow-test-reporter.js'],
  // Every wait gives up within a minute and names itself (test/harness/wait-for.ts); this limit is for a test with several
  // waits on a loaded machine, and says nothing about speed.
  testTimeout: 120_000,
};
