const { readFileSync, readdirSync, statSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/**
 * Returns the part files that an entry file runs: all files of the folders that it names in `runParts`
 * (run-parts.ts).
 */
const partsOf = (file) => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('runParts(')) return [];
  const [, names] = /^runParts\(('[^']+'(?:, '[^']+')*)\);$/m.exec(text) ?? [];
  if (names === undefined)
    throw new Error(`${file} must call runParts on one line, with names in single quotes`);
  return [...names.matchAll(/'([^']+)'/g)].flatMap(([, name]) => {
    const folder = path.join(path.dirname(file), name);
    return readdirSync(folder).map((part) => path.join(folder, part));
  });
};
const sizeOf = (file) => [file, ...partsOf(file)].reduce((sum, each) => sum + statSync(each).size, 0);
const startsStack = (file) => Number(/[\\/](end-to-end[\\/]|local[\\/](scripts|start)\.test)/.test(file));

/**
 * Runs the slowest tests first: those that start a whole stack before all others, and large files before small ones. The size of an
 * entry file includes its parts, because the entry file alone has only three lines and would run last.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const size = new Map(tests.map(({ path: file }) => [file, sizeOf(file)]));
    return [...tests].sort(
      ({ path: a }, { path: b }) => startsStack(b) - startsStack(a) || size.get(b) - size.get(a),
    );
  }
};
