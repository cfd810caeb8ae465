const { existsSync, readdirSync, statSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const sizeOf = (file) => {
  const folder = file.replace(/\.test\.ts$/, '');
  const parts = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.part.ts')) : [];
  return [file, ...parts.map((name) => path.join(folder, name))].reduce(
    (sum, each) => sum + statSync(each).size,
    0,
  );
};
const startsStack = (file) => Number(file.includes(`${path.sep}end-to-end${path.sep}`));

/**
 * Runs the longest files first, judged by their size. Jest would run the entry files of parts last, because they have
 * three lines each.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const size = new Map(tests.map(({ path: file }) => [file, sizeOf(file)]));
    return [...tests].sort(
      ({ path: a }, { path: b }) => startsStack(b) - startsStack(a) || size.get(b) - size.get(a),
    );
  }
};
