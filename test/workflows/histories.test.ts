import { runParts } from '../harness/parts';

runParts('histories');
