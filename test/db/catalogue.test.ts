import { runParts } from '../harness/parts';

runParts('catalogue');
