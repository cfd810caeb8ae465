import { runParts } from '../harness/platform/run-parts';

runParts('console', 'people', 'reports', 'results', 'webhooks');
