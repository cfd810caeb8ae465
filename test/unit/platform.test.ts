import { runParts } from '../harness/parts';

runParts('platform', 'platform/http', 'platform/text');
