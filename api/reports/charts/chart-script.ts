import path from 'node:path';
import { readAsset } from '../../platform/site/assets';

/** The script that shows the values of charts. The pages with charts also work without it. */
export const chartScript = readAsset('chart-values.js', [path.join(__dirname, 'chart-values.js')]);
