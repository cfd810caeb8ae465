import { runParts } from '../harness/platform/run-parts';

runParts('console', 'people', 'results', 'webhooks');
