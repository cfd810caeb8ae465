import { readFileSync } from 'node:fs';
import path from 'node:path';
import { interviewsNamed, modelAsked } from '../../harness/interviews/interview-rows';
import { newInterview, held } from '../../harness/platform/platform';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

afterEach(() => platform.clearFaults());

describe('job-interview-create', () => {
  it('returns what the README shows after its command', async () => {
    const readme = readFileSync(path.join(__dirname, '../../../README.md'), 'utf8');
    const [, body = '', printed = ''] =
      /job-interview-create \\[^]*?-d '([^']+)'[^]*?```json\n([^]*?)```/.exec(readme) ?? [];
    const reply = await platform.call('job-interview-create', {
      body: JSON.parse(body) as Record<string, unknown>,
    });
    expect([reply.status, reply.body]).toEqual([
      200,
      { ...(JSON.parse(printed) as Reply['body']), interview_def_set_id: expect.any(String) },
    ]);
  });
});

/* Each outcome is tested here with one fault. draft-interview.test.ts and lying-model.test.ts test all other faults. */

describe('job-interview-create when the caller hangs up', () => {
  it('completes the interview, which is not visible until then', async () => {
    await platform.fault({ provider: 'openai', ...held });
    const name = 'Hung up';
    const hangUp = new AbortController();
    const body = newInterview(platform.stack, { name, is_embedded: true });
    const call = platform.call('job-interview-create', { body, signal: hangUp.signal });
    call.catch(() => undefined);
    await modelAsked(platform, name);
    hangUp.abort();
    await expect(call).rejects.toThrow('abort');
    const [row] = await interviewsNamed(platform.database, name);
    const read = () => platform.call('job-interview-get', { query: { position_id: row?.id ?? '' } });
    expect([row, (await read()).status]).toMatchObject([{ is_built: false, steps: 0, embed_keys: 0 }, 404]);
    await platform.clearFaults();
    const isBuilt = async () => (await interviewsNamed(platform.database, name))[0]?.is_built;
    await waitFor('the end of the workflow', isBuilt);
    expect(await interviewsNamed(platform.database, name)).toEqual([
      { id: row?.id, is_built: true, has_draft: false, steps: 6, embed_keys: 1 },
    ]);
    expect((await read()).body['questions']).toHaveLength(4);
  });
});
