import path from 'node:path';
import { readAsset } from '../../platform/site/assets';

const own = (name: string) => path.join(__dirname, name);
const preact = path.join(path.dirname(require.resolve('preact')), 'preact.min.umd.js');

/** The script of the builder, which its page works without: preact, and our files in the order in which they need each other. */
export const builderScript = readAsset('builder.js', [
  preact,
  ...[
    'edits.js',
    'history.js',
    'controls.js',
    'conditions.js',
    'block-form.js',
    'tiles.js',
    'preview.js',
    'builder.js',
  ].map(own),
]);
