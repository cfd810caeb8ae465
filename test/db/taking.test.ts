import { runParts } from '../harness/parts';

runParts('taking');
