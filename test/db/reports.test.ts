import { runParts } from '../harness/parts';

runParts('reports');
