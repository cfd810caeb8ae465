import { runParts } from '../harness/parts';

runParts('account', 'identity', 'people');
