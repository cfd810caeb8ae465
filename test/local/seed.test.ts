import { runParts } from '../harness/parts';

runParts('seed');
