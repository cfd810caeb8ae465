import { runParts } from '../harness/parts';

runParts('platform');
