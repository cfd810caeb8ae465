import { decideResult } from '../../../db/results/result-decisions';
import { recordScores } from '../../../db/results/results';
import { finishAttempt, submitAttempt } from '../../../db/taking/attempts';
import { onLink, scores, takeInterview } from '../../../local/demo/candidate';
import { createAnnouncingWorld } from './announcing-world';
import type { AnnouncingWorld } from './announcing-world';

/* Tests which endpoints get a delivery, whoever changes the result (docs/webhooks.md#how-a-delivery-begins). */

let world: AnnouncingWorld;
beforeAll(async () => {
  world = await createAnnouncingWorld();
});

describe('the endpoints that get a delivery', () => {
  afterEach(() =>
    world.database.rows('update webhook_endpoint set deleted_at = now() where id <> $1', [world.endpoint]),
  );
  const endpointsTold = async () => {
    const { key } = await world.scored();
    await world.database.rows(`delete from webhook_delivery where result_id = $1`, [key.result_id]);
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
    const rows = await world.database.rows<{ endpoint_id: string; merchant_id: string; state: string }>(
      'select endpoint_id, merchant_id, environment, state from webhook_delivery where result_id = $1',
      [key.result_id],
    );
    for (const row of rows)
      expect(row).toMatchObject({
        merchant_id: world.cell.merchantId,
        environment: world.cell.environment,
        state: 'queued',
      });
    return rows.map((row) => row.endpoint_id).toSorted();
  };

  it.each([
    ['include another one that is subscribed', {}, true],
    ['include one that the platform paused', { paused_reason: 'failing', paused_at: '2026-01-01' }, true],
    ['do not include one that its owner turned off', { enabled: false }, false],
    ['do not include one that is deleted', { deleted_at: '2026-01-01' }, false],
    [
      'do not include one that is subscribed to other events only',
      { events: ['interview_collected', 'interview_failed'] },
      false,
    ],
  ])('%s', async (_, changes, isTold) => {
    const id = await world.makeEndpoint(changes);
    expect(await endpointsTold()).toEqual((isTold ? [world.endpoint, id] : [world.endpoint]).toSorted());
  });

  it('are not those of another environment or merchant', async () => {
    const [, sibling, other] = world.cells;
    for (const { merchantId, environment } of [sibling, other])
      await world.makeEndpoint({ merchant_id: merchantId, environment });
    expect(await endpointsTold()).toEqual([world.endpoint]);
  });

  it.each(['coaching', 'persona', 'persona_interview', 'public_avatar'])(
    'do not include any for a result of type %s',
    async (type) => {
      const { key } = await world.scored({ type });
      expect(await world.born(key.result_id)).toEqual([]);
    },
  );

  it('include those for an assessment', async () => {
    const { key } = await world.scored({ type: 'assessment' });
    expect((await world.born(key.result_id)).map(([event]) => event)).toEqual([
      'interview_collected',
      'interview_result',
    ]);
  });
});

describe('the writers of a result', () => {
  const given = { recruiter_go_next_round: true };

  it('create a delivery each: app_link, app_worker, app_user and app_service', async () => {
    const enrolment = await world.enrol();
    const key = await takeInterview(world, { enrolment, until: 'started' });
    await onLink(world, enrolment, finishAttempt);
    expect(await world.born(key.result_id)).toHaveLength(1);
    await onLink(world, enrolment, submitAttempt);
    await world.writeAsWorker((trx) => recordScores(trx, key, scores, []));
    expect(await world.born(key.result_id)).toHaveLength(1);
    await world.api.write(world.cell.user, (trx) => decideResult(trx, key.result_id, given));
    expect(await world.born(key.result_id)).toHaveLength(1);
    const no = { recruiter_go_next_round: false };
    await world.api.write(world.cell.service, (trx) => decideResult(trx, key.result_id, no));
    expect(await world.born(key.result_id)).toHaveLength(1);
  });

  it('create none in a transaction that is rolled back', async () => {
    const { key } = await world.scored();
    await world.born(key.result_id);
    const undone = world.asRecruiter(async (trx) => {
      await decideResult(trx, key.result_id, given);
      const seen = await trx.rows({ text: 'select from webhook_delivery where result_id = $1', values: [key.result_id] });
      throw new Error(`undone with ${seen.length}`);
    });
    await expect(undone).rejects.toThrow('undone with 1');
    expect(await world.born(key.result_id)).toEqual([]);
  }); // prettier-ignore

  it('create none when an interview starts', async () => {
    const enrolment = await world.enrol();
    const key = await takeInterview(world, { enrolment, until: 'started' });
    expect(await world.born(key.result_id)).toEqual([]);
  }); // prettier-ignore

  it('create one delivery each for a thousand results in one statement', async () => {
    const { merchantId, environment, taken } = world.cell;
    const rows = await world.database.rows<{ id: string }>(
      `insert into interview_result (merchant_id, environment, interview_id, status, processing_status, interview_status)
       select $1, $2, $3, 'active', 'completed', 'completed' from generate_series(1, 1000) returning id`,
      [merchantId, environment, taken.interview],
    );
    await world.database.rows('update interview_result set score = 5 where id = any ($1)', [
      rows.map(({ id }) => id),
    ]);
    const [counted] = await world.database.rows(
      `select count(*)::int as deliveries, count(distinct result_id)::int as results from webhook_delivery
       where result_id = any ($1) and reason = 'score'`,
      [rows.map(({ id }) => id)],
    );
    expect(counted).toEqual({ deliveries: 1_000, results: 1_000 });
  });
});
