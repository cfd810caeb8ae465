import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { allOperations } from '../../harness/platform/operation-inputs';
import { sharedPlatform } from '../../harness/platform/shared-platform';

// The generator and what it needs are downloaded and installed.
jest.setTimeout(600_000);

const script = path.resolve(__dirname, '../../../clients/python/smoke-test');
// The script needs a package index, which not every machine reaches.
const wanted = process.env['TEST_PYTHON_CLIENT'] === '1';

describe('a Python client that is generated from the document', () => {
  (wanted ? it : it.skip)('has the operations, and creates, reads and lists with them', async () => {
    const { stack } = await sharedPlatform({ worker: false });
    const { stdout } = await promisify(execFile)(script, [], {
      env: { ...process.env, BASE_URL: stack.base_url, TOKEN: stack.tokens.merchant_owner },
    });
    expect(stdout.trim()).toBe(`${allOperations.length} operations generated`);
  });
});
