import path from 'node:path';
import { readAsset } from '../../platform/site/assets';

const own = (name: string) => path.join(__dirname, name);
const preact = path.join(path.dirname(require.resolve('preact')), 'preact.min.umd.js');

/**
 * The script of the builder: preact, then our files, each after the files that it needs. The page also works without
 * the script.
 */
export const builderScript = readAsset('builder.js', [
  preact,
  ...[
    'edits.js',
    'history.js',
    'controls.js',
    'conditions.js',
    'block-form.js',
    'drag.js',
    'tiles.js',
    'preview.js',
    'builder.js',
  ].map(own),
]);
