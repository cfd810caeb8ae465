const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const exit = process.exit.bind(process);

/**
 * Runs test files in Node's own context, so that they can share modules (runtime.js), and resets what a file can change
 * there. Closes what a test or a test file has opened (at-end.ts), after all its hooks, so that no file has to close
 * anything.
 */
module.exports = class {
  constructor({ projectConfig: config }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
    this.before = { console, env: process.env };
    process.env = { ...process.env };
    globalThis.endings = { test: [], file: [] };
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.before.console;
    process.env = this.before.env;
    process.exit = exit;
    // Jest adds the handlers of each file to those that it finds here.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }

  async handleTestEvent({ name }) {
    if (name === 'test_done') await this.close('test');
    if (name === 'run_finish') await this.close('file');
  }

  async close(what) {
    for (const close of globalThis.endings[what].splice(0).toReversed()) await close();
  }
};
