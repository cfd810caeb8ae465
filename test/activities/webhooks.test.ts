import { runParts } from '../harness/parts';

runParts('webhooks');
