import { runParts } from '../harness/parts';

runParts('fakes');
