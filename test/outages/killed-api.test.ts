import {
  countStored,
  interviewsNamed,
  modelAsked,
  modelOutcomes,
} from '../harness/interviews/interview-rows';
import { held, newInterview } from '../harness/platform/platform';
import type { Reply } from '../harness/platform/platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { featureCalls } from '../harness/support/feature-calls';
import { waitFor } from '../harness/wait-for';
import { decisionsAt } from './decisions-at';
import { outagePlatform } from './outage-platform';

let platform: OwnPlatform;
beforeAll(async () => {
  ({ platform } = await outagePlatform());
});

const create = (name: string) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, { name, is_embedded: true }),
    headers: { 'idempotency-key': name },
  });
const read = (position_id: string) => platform.call('job-interview-get', { query: { position_id } });
const rowOf = async (name: string) => (await interviewsNamed(platform.database, name))[0];
const idOf = ({ body }: Reply) => String(body['interview_def_set_id']);
const setLease = (key: string, until: string) =>
  platform.database.rows('update idempotency_key set lease_until = now() + $2::interval where key = $1', [
    key,
    until,
  ]);
const endLease = (key: string) => setLease(key, '-1 second');
/**
 * Makes calls for which the model delays its responses. Kills the API when all requests have reached the model and
 * `ready` has resolved.
 */
async function loseCalls(
  names: string[],
  more: Promise<unknown>[] = [],
  ready = async () => {},
): Promise<void> {
  const lost = [...names.map(create), ...more];
  const ends = Promise.allSettled(lost);
  await Promise.all(names.map((name) => modelAsked(platform, name)));
  await ready();
  await platform.api.kill();
  expect((await ends).map(({ status }) => status)).toEqual(lost.map(() => 'rejected'));
}

describe('when the API is killed while workflows of its calls run', () => {
  let joining: Promise<Reply>;
  let answered: Awaited<ReturnType<ReturnType<typeof decisionsAt>['answerWhileHeld']>>;
  beforeAll(async () => {
    await platform.fault({ provider: 'openai', ...held });
    // The candidate answers last, because the API waits only 12 s for a decision.
    await loseCalls(['Lost', 'Found again', 'Joined'], [], async () => {
      answered = await decisionsAt(platform).answerWhileHeld();
    });
    await expect(answered.answering).rejects.toThrow('fetch failed');
    await platform.startApi();
    await endLease('Joined');
    joining = create('Joined');
    await waitFor('the lease of the second call', async () => {
      const [row] = await platform.database.rows<{ runs: boolean }>(
        `select lease_until > now() as runs from idempotency_key where key = 'Joined'`,
      );
      return row?.runs;
    });
    expect(await rowOf('Joined')).toMatchObject({ is_built: false });
    await platform.clearFaults();
  });

  it('the interview is completed', async () => {
    const row = await waitFor('the interview', async () => {
      const found = await rowOf('Lost');
      return found?.is_built && found;
    });
    expect(row).toMatchObject({ is_built: true, has_draft: false, steps: 6, embed_keys: 1 });
    expect((await read(row.id)).body['questions']).toHaveLength(4);
  });

  it('the same call gets a 409 during the lease, and then the interview of the lost call', async () => {
    const made = await waitFor('the interview', async () => {
      const found = await rowOf('Found again');
      return found?.is_built && found;
    });
    await setLease('Found again', '1 hour');
    expect((await create('Found again')).status).toBe(409);
    await endLease('Found again');
    const found = await create('Found again');
    expect([found.status, found.body]).toEqual([
      200,
      {
        interview_def_set_id: made.id,
        questions_generated: 3,
        max_duration: 1_200,
        embed_id: expect.any(String),
        embed_signing_key: expect.any(String),
      },
    ]);
    expect((await create('Found again')).text).toBe(found.text);
    expect(await interviewsNamed(platform.database, 'Found again')).toHaveLength(1);
  });

  it('the same call waits for a workflow that is still running', async () => {
    const joined = await joining;
    expect(joined.status).toBe(200);
    expect(await interviewsNamed(platform.database, 'Joined')).toEqual([
      expect.objectContaining({ id: idOf(joined), is_built: true, embed_keys: 1 }),
    ]);
  });

  it('an interview that waited for a decision goes on with one turn', async () => {
    await decisionsAt(platform).expectOneTurn(answered);
  });
});

describe('when the API is killed, the model refuses and the board hangs', () => {
  const lost = ['Overdue', 'Not yet overdue', 'Lost and failed'];
  const feature = { headers: { 'idempotency-key': 'feature' } };
  let stored: Record<string, number>;
  beforeAll(async () => {
    stored = await countStored(platform.database);
    await platform.fault({ provider: 'openai', ...held, refuse: true });
    const features = featureCalls(platform);
    await features.faultAtCreation(held);
    const isHeld = async () => {
      const count = 2 * held.times - lost.length - 1;
      await waitFor('the creation of the post', async () => (await platform.faultsLeft()) <= count);
    };
    // The faults are cleared before the API starts again, so that the feature board responds. Otherwise the workflow
    // could time out while the API starts slowly.
    await loseCalls(lost, [features.ask('A killed API', feature)], isHeld);
    await platform.clearFaults();
    await platform.startApi();
    await waitFor('the refusals', async () => {
      const rows = await Promise.all(lost.map(rowOf));
      const outcomes = rows.map(async (row) =>
        row ? modelOutcomes(platform.database, row.id) : ['refused'],
      );
      return (await Promise.all(outcomes)).every((each) => each.includes('refused'));
    });
  });

  it('the feature request is posted once, and the same call finds it', async () => {
    const features = featureCalls(platform);
    const row = await waitFor('the post', async () => {
      const [found] = await features.rowsTitled('A killed API');
      return found?.status === 'posted' && found;
    });
    await endLease('feature');
    const again = await features.ask('A killed API', feature);
    expect([again.status, again.body['id']]).toEqual([200, row.id]);
    expect((await features.postsTitled('A killed API')).map(({ id }) => id)).toEqual([row.post_id]);
  });

  it('the same call makes the interview, or gets a 503 that frees the key', async () => {
    await endLease('Lost and failed');
    const second = await create('Lost and failed');
    if (second.status !== 200)
      expect([second.status, await rowOf('Lost and failed')]).toEqual([503, undefined]);
    const third = await create('Lost and failed');
    expect(third.status).toBe(200);
    expect(await interviewsNamed(platform.database, 'Lost and failed')).toEqual([
      expect.objectContaining({ id: idOf(third), is_built: true }),
    ]);
  });

  it('the unbuilt rows are not visible, and only the overdue one is removed', async () => {
    const rows = await Promise.all(['Overdue', 'Not yet overdue'].map(rowOf));
    for (const row of rows) {
      expect(row).toMatchObject({ is_built: false });
      expect((await read(row?.id ?? '')).status).toBe(404);
      const body = { position_id: row?.id, name: 'X' };
      expect((await platform.call('job-interview-update', { body })).status).toBe(404);
    }
    // The cleanup job removes an unbuilt interview 2 minutes after its deadline. The wait below is shorter, so the
    // interview that is not yet overdue stays.
    for (const [name, since] of [
      ['Not yet overdue', '1 second'],
      ['Overdue', '125 seconds'],
    ])
      await platform.database.rows(
        'update interview set deadline_at = now() - $2::interval where name = $1',
        [name, since],
      );
    await platform.database.rows(
      `update interview set deadline_at = now() - interval '1 day' where built_at is not null`,
    );
    await waitFor('the maintenance', async () => (await rowOf('Overdue')) === undefined);
    expect(await rowOf('Not yet overdue')).toMatchObject({ is_built: false });
    const { interview = 0 } = await countStored(platform.database);
    // Of the interviews added since `stored` was counted, two are left: the one that is not yet overdue and the one
    // of the repeated call.
    expect(interview).toBe((stored['interview'] ?? 0) + 2);
  });
});
