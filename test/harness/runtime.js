const { isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** Loads the modules of this repository that are not test files, once for each process of Jest. */
let library;
const sourceMaps = new Map();

/**
 * Replaces the `AsyncLocalStorage` with which Jest finds out which test an error belongs to: for the real one, Node 20 runs a
 * hook for each promise of the process, which takes a sixth of its CPU. One test runs at a time, so one variable is enough.
 */
class CurrentContext {
  getStore() {
    return this.store;
  }

  run(store, callback) {
    const before = this.store;
    this.store = store;
    return callback().finally(() => {
      this.store = before;
    });
  }
}

/**
 * Jest loads all modules again for each test file, which took longer than the tests of most files. Here, only the test
 * file itself is loaded each time: packages are loaded by Node, and other modules by a runtime that all files of the
 * process share. So a module must not keep what belongs to one test file. A file that calls `jest.mock` loads the
 * modules of the repository for itself.
 */
module.exports = class Runtime extends JestRuntime {
  constructor(...given) {
    super(...given);
    this.given = given;
    this.transformCache.sourceMaps = sourceMaps;
    const names = ['module', 'exports', 'require', '__dirname', '__filename', 'jest'];
    this.executor.compile = (source, filename) => compileFunction(source, names, { filename });
  }

  requireModule(from, name, options, isActual) {
    if (name === 'node:async_hooks' && options?.isInternalModule)
      return { AsyncLocalStorage: CurrentContext };
    if (name === undefined || options?.isInternalModule || isBuiltin(name))
      return super.requireModule(from, name, options, isActual);
    if (!/^[./]/.test(name)) return require(name);
    if (this === library || this.isMocking) return super.requireModule(from, name, options, isActual);
    library ??= new Runtime(...this.given);
    return library.requireModule(from, name);
  }

  setMock(...given) {
    this.isMocking = true;
    super.setMock(...given);
  }
};
