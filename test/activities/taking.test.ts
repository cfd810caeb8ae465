import { runParts } from '../harness/parts';

runParts('taking', 'scoring', 'results');
