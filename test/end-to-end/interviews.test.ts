import { runParts } from '../harness/platform/run-parts';

runParts('interviews', 'recordings');
