import { runParts } from '../harness/run-parts';

runParts(`${__dirname}/workflows`);
