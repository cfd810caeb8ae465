import { runParts } from '../harness/parts';

runParts('decisions');
