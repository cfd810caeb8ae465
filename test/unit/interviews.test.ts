import { runParts } from '../harness/parts';

runParts('interviews');
