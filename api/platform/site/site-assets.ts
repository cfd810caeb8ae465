import path from 'node:path';
import { readAsset, readScript } from './assets';

const file = (name: string) => path.join(__dirname, name);

export const paletteFile = file('palette.css');
export const consoleStyle = readAsset('console.css', [paletteFile, file('console.css'), file('reports.css')]);
/** The scripts of the console, whose pages also work without scripts. Their sources are in browser/. */
export const consoleScripts = ['live.js', 'copy.js'].map((name) => readScript(name));
/** Shows the values of charts. The pages with charts also work without it. */
export const chartScript = readScript('chart-values.js');
/** Moves the entries of a `Reorder` (reorder.tsx), which also works without it. */
export const reorderScript = readScript('reorder.js');
export const portalStyle = readAsset('portal.css', [paletteFile, file('portal.css')]);
/** The assets that every host serves. */
export const siteAssets = [consoleStyle, ...consoleScripts, chartScript, reorderScript, portalStyle];
