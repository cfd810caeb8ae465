import { countStored, interviewsNamed, modelAsked } from '../../harness/interviews/interview-rows';
import type { InterviewRow } from '../../harness/interviews/interview-rows';
import { held, newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

const thinking = { provider: 'openai', ...held };

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});
afterEach(() => platform.clearFaults());

const create = (name: string, signal: AbortSignal) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, { name, is_embedded: true }),
    signal,
  });
const read = (position_id: string) => platform.call('job-interview-get', { query: { position_id } });

const rowOf = async (name: string): Promise<InterviewRow | undefined> =>
  (await interviewsNamed(platform.database, name))[0];
const isGone = async (name: string) => (await rowOf(name)) === undefined;
/**
 * Expects that exactly one interview has this name and that it is complete: welcome, three questions, closing prompt,
 * thank-you and an embed key.
 */
const expectWhole = async (name: string) => {
  const rows = await interviewsNamed(platform.database, name);
  const whole = { is_built: true, has_draft: false, steps: 6, embed_keys: 1 };
  expect(rows).toEqual([{ id: expect.any(String), ...whole }]);
  expect((await read(rows[0]?.id ?? '')).body['questions']).toHaveLength(4);
};

describe('job-interview-create when the caller hangs up', () => {
  it('completes the interview, which is not visible until then', async () => {
    await platform.fault(thinking);
    const hangUp = new AbortController();
    const call = create('Hung up', hangUp.signal);
    call.catch(() => undefined);
    await modelAsked(platform, 'Hung up');
    hangUp.abort();
    await expect(call).rejects.toThrow('abort');
    const row = await rowOf('Hung up');
    expect((await read(row?.id ?? '')).status).toBe(404);
    const none = { is_built: false, steps: 0, embed_keys: 0 };
    expect(row).toMatchObject(none);
    await platform.clearFaults();
    await waitFor('the end of the workflow', async () => {
      const { is_built, steps, embed_keys } = (await rowOf('Hung up')) ?? {};
      expect([none, { is_built: true, steps: 6, embed_keys: 1 }]).toContainEqual({
        is_built,
        steps,
        embed_keys,
      });
      return is_built;
    });
    await expectWhole('Hung up');
  });

  it('stores no interview if the model fails', async () => {
    const before = await countStored(platform.database);
    await platform.fault({ ...thinking, refuse: true });
    const hangUp = new AbortController();
    const call = create('Hung up in vain', hangUp.signal);
    call.catch(() => undefined);
    await modelAsked(platform, 'Hung up in vain');
    hangUp.abort();
    await expect(call).rejects.toThrow('abort');
    await platform.clearFaults();
    await waitFor('the row’s end', () => isGone('Hung up in vain'));
    expect(await countStored(platform.database)).toEqual(before);
  });
});
