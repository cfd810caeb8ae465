import { readScript } from '../../platform/site/assets';

/** The builder of api/reports/builder. Its page also works without the script. */
export const builderScript = readScript('builder.js');
