import { Client } from 'pg';
import { countStored, interviewsNamed, modelAsked, modelOutcomes } from '../../harness/interview-rows';
import { waitFor } from '../../harness/wait-for';
import type { InterviewRow } from '../../harness/interview-rows';
import { held, newInterview, startPlatform } from '../../harness/platform';
import type { Platform, Reply } from '../../harness/platform';
import { errorBody } from '../../harness/error-body';

const sentence = 'Question generation is unavailable right now, try again later';
const thinking = { provider: 'openai', ...held };

let platform: Platform;
/** Loses its worker for good while a call waits; that call takes its time while the other tests run. */
let orphaned: Platform;
let unfinished: Promise<Reply>;
let orphanedId: string;
beforeAll(async () => {
  [platform, orphaned] = await Promise.all([startPlatform(), startPlatform()]);
  await orphaned.fault(thinking);
  unfinished = create(orphaned, 'Orphan');
  unfinished.catch(() => undefined);
  await modelAsked(orphaned, 'Orphan');
  await orphaned.worker?.kill();
  orphanedId = (await interviewsNamed(orphaned.database, 'Orphan'))[0]?.id ?? '';
});
afterEach(() => platform.clearFaults());
afterAll(() => Promise.all([platform.stop(), orphaned.stop()]));

const create = (on: Platform, name: string, more: Record<string, unknown> = {}, signal?: AbortSignal) =>
  on.call('job-interview-create', {
    body: newInterview(on.stack, { name, is_embedded: true, ...more }),
    ...(signal ? { signal } : {}),
  });
const read = (position_id: string) => platform.call('job-interview-get', { query: { position_id } });

const rowOf = async (name: string): Promise<InterviewRow | undefined> =>
  (await interviewsNamed(platform.database, name))[0];
const isGone = async (name: string) => (await rowOf(name)) === undefined;
/** Welcome, three questions, closing prompt, thank-you, and a key: whole, once. */
const whole = { is_built: true, has_draft: false, steps: 6, embed_keys: 1 };
const expectWhole = async (name: string, reply?: Reply) => {
  const rows = await interviewsNamed(platform.database, name);
  expect(rows).toEqual([{ id: expect.any(String), ...whole }]);
  if (reply) expect(reply.body).toMatchObject({ interview_def_set_id: rows[0]?.id, questions_generated: 3 });
  expect((await read(rows[0]?.id ?? '')).body['questions']).toHaveLength(4);
};

describe('job-interview-create when the caller hangs up', () => {
  it('while the model writes: nobody sees it half, then it is there whole', async () => {
    await platform.fault(thinking);
    const hangUp = new AbortController();
    const call = create(platform, 'Hung up', {}, hangUp.signal);
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

  it('and the model fails: it is absent', async () => {
    const before = await countStored(platform.database);
    await platform.fault({ ...thinking, refuse: true });
    const hangUp = new AbortController();
    const call = create(platform, 'Hung up in vain', {}, hangUp.signal);
    call.catch(() => undefined);
    await modelAsked(platform, 'Hung up in vain');
    hangUp.abort();
    await expect(call).rejects.toThrow('abort');
    await platform.clearFaults();
    await waitFor('the row’s end', () => isGone('Hung up in vain'));
    expect(await countStored(platform.database)).toEqual(before);
  });
});

describe('job-interview-create when the worker is killed', () => {
  let worker: Platform['api'] | undefined;
  beforeAll(() => {
    worker = platform.worker;
  });
  const killWorker = async () => {
    await worker?.kill();
    worker = undefined;
  };
  const replaceWorker = async () => {
    worker = await platform.startWorker();
  };
  // Where an earlier test failed before it did.
  beforeEach(() => (worker ? undefined : replaceWorker()));

  it('while the model writes: another worker makes one interview, 200', async () => {
    await platform.fault(thinking);
    const call = create(platform, 'Killed while asking');
    await modelAsked(platform, 'Killed while asking');
    await killWorker();
    expect(await rowOf('Killed while asking')).toMatchObject({ is_built: false, has_draft: false });
    await platform.clearFaults();
    await replaceWorker();
    const reply = await call;
    expect(reply.status).toBe(200);
    await expectWhole('Killed while asking', reply);
  });

  it('between the two activities: the draft is kept, the model is not asked again, 200', async () => {
    // Nothing can be stored while this is held, so the kill falls after the draft and before the rest.
    const holder = new Client({ connectionString: platform.database.adminUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table question in exclusive mode');
    const call = create(platform, 'Killed in between');
    try {
      const { id } = await waitFor('the draft', async () => {
        const row = await rowOf('Killed in between');
        return row?.has_draft && row;
      });
      await killWorker();
      expect(await rowOf('Killed in between')).toEqual({
        ...whole,
        id,
        is_built: false,
        has_draft: true,
        steps: 0,
        embed_keys: 0,
      });
      expect((await read(id)).status).toBe(404);
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    await replaceWorker();
    const reply = await call;
    expect(reply.status).toBe(200);
    await expectWhole('Killed in between', reply);
    expect(await modelOutcomes(platform.database, String(reply.body['interview_def_set_id']))).toEqual([
      'accepted',
    ]);
  });

  it('and none takes its place: 503, nothing stored, and a later worker makes nothing of it', async () => {
    const reply = await unfinished;
    expect(orphanedId).not.toBe('');
    expect(reply.body).toEqual(errorBody('generation_unavailable', undefined, sentence));
    expect(reply.status).toBe(503);
    expect(await interviewsNamed(orphaned.database, 'Orphan')).toEqual([]);
    await orphaned.clearFaults();
    await orphaned.startWorker();
    expect((await create(orphaned, 'After the orphan')).status).toBe(200);
    expect(await interviewsNamed(orphaned.database, 'Orphan')).toEqual([]);
  });
});
