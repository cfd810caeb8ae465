const { isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** Loads the modules of this repository that are not test files, once for each process of Jest. */
let library;
const sourceMaps = new Map();

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
