import { countStored, interviewsNamed, modelAsked, modelOutcomes } from '../../harness/interview-rows';
import { waitFor } from '../../harness/wait-for';
import { held, newInterview } from '../../harness/platform';
import type { Platform } from '../../harness/platform';
import { sharedPlatform } from '../../harness/shared-platform';

let platform: Platform;
let api: Platform['api'];
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  api = platform.api;
});
afterEach(() => platform.clearFaults());

const killApi = () => api.kill();
const replaceApi = async () => {
  api = await platform.startApi();
};
const create = (name: string) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name, is_embedded: true }) });
const read = (position_id: string) => platform.call('job-interview-get', { query: { position_id } });
const rowOf = async (name: string) => (await interviewsNamed(platform.database, name))[0];
const isGone = async (name: string) => (await rowOf(name)) === undefined;
const started = (name: string) => waitFor('the unbuilt row', () => rowOf(name));

describe('job-interview-create when the API is killed', () => {
  it('after the start: the workflow goes on and the interview is whole', async () => {
    await platform.fault({ provider: 'openai', ...held });
    const call = create('API killed');
    call.catch(() => undefined);
    await modelAsked(platform, 'API killed');
    await killApi();
    await expect(call).rejects.toThrow('fetch failed');
    await platform.clearFaults();
    await waitFor('the interview', async () => (await rowOf('API killed'))?.is_built);
    await replaceApi();
    const [row] = await interviewsNamed(platform.database, 'API killed');
    expect(row).toMatchObject({ is_built: true, has_draft: false, steps: 6, embed_keys: 1 });
    expect((await read(row?.id ?? '')).body['questions']).toHaveLength(4);
  });

  it('and the model fails: the row is shown to nobody and swept after its time, others are not', async () => {
    const stored = await countStored(platform.database);
    await platform.fault({ provider: 'openai', ...held, refuse: true });
    const names = ['Overdue', 'Not yet overdue'];
    const calls = names.map((name) => create(name));
    for (const call of calls) call.catch(() => undefined);
    await Promise.all(names.map((name) => modelAsked(platform, name)));
    await killApi();
    await Promise.allSettled(calls);
    await platform.clearFaults();
    await replaceApi();
    const [overdue, waiting] = [await started('Overdue'), await started('Not yet overdue')];
    await waitFor('both refusals', async () => {
      const all = [overdue, waiting].map(({ id }) => modelOutcomes(platform.database, id));
      return (await Promise.all(all)).every((outcomes) => outcomes.includes('refused'));
    });
    for (const { id, is_built } of [overdue, waiting]) {
      expect(is_built).toBe(false);
      expect((await read(id)).status).toBe(404);
      const update = await platform.call('job-interview-update', { body: { position_id: id, name: 'X' } });
      expect(update.status).toBe(404);
    }
    const backdate = (id: string, interval: string) =>
      platform.database.rows('update interview set deadline_at = now() - $2::interval where id = $1', [
        id,
        interval,
      ]);
    // Its two minutes more are longer than the wait for a sweep.
    await backdate(waiting.id, '1 second');
    await platform.database.rows(
      `update interview set deadline_at = now() - interval '1 day' where built_at is not null`,
    );
    await backdate(overdue.id, '125 seconds');
    await waitFor('the maintenance', () => isGone('Overdue'));
    expect(await rowOf('Not yet overdue')).toMatchObject({ is_built: false });
    // The row that still waits, and every built one, whatever its deadline was.
    expect(await countStored(platform.database)).toEqual({
      ...stored,
      interview: (stored['interview'] ?? 0) + 1,
    });
  });
});
