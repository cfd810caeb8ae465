import { runParts } from '../harness/parts';

runParts('people', 'interviews');
