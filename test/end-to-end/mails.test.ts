import { runParts } from '../harness/platform/run-parts';

runParts('mails', 'support');
