const { TestEnvironment } = require('jest-environment-node');

/**
 * Closes what a test or a test file has opened (at-end.ts), after all its hooks, so that no file has to close anything.
 */
module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.endings = { test: [], file: [] };
  }

  async handleTestEvent({ name }) {
    if (name === 'test_done') await this.close('test');
    if (name === 'run_finish') await this.close('file');
  }

  async close(what) {
    for (const close of this.global.endings[what].splice(0).toReversed()) await close();
  }
};
