import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { merchants } from '../../../local/seed/accounts';
import { makeKey } from '../../harness/identity/accounts';
import { guideCode } from '../../harness/platform/guide-code';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  key = await makeKey(platform, merchants.main.id);
});

describe('the guide about agents', () => {
  it('has a script that works', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', guideCode('agents', 'A script')],
      { env: { ORIGIN: platform.stack.origin, KEY: key } },
    );
    const [first, ...results] = stdout.trim().split('\n');
    expect(first).toBe(`${merchants.main.name}, production`);
    const { body } = await platform.call('merchant-result-list', { query: { tab: 'undecided' } });
    expect(results).toHaveLength((body['pagination'] as { total: number }).total);
  });
});
