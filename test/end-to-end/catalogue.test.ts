import { runParts } from '../harness/platform/run-parts';

runParts('catalogue', 'portal');
