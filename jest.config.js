// Packages that ship only ES modules have to be transformed for jest's CommonJS.
const esmOnly = ['jose', '@seriousme'];

module.exports = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '\\.[jt]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
  // One more than the two cores of CI: many tests wait for a fault to pass.
  maxWorkers: 3,
  // No statement about speed: only so that a test that hangs ends, on a machine that is loaded too.
  testTimeout: 180_000,
};
