// Packages that ship only ES modules have to be transformed for jest's CommonJS.
const esmOnly = ['jose', '@seriousme'];

module.exports = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '\\.[jt]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  globalSetup: '<rootDir>/test/harness/global-setup.ts',
  globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
  maxWorkers: 2,
  // No statement about speed: only so that a test that hangs ends, on a machine that is loaded too.
  testTimeout: 180_000,
};
