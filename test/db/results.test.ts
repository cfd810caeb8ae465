import { runParts } from '../harness/parts';

runParts('results', 'scoring');
