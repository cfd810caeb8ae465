import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { recordPdf } from '../../../db/results/results';
import { failAttempt } from '../../../db/taking/attempt-work';
import { finishAttempt, submitAttempt } from '../../../db/taking/attempts';
import { giveUpPdf } from '../../../db/webhooks/public';
import { queryWithLink, recordScores, demoScores, takeInterview } from '../../../local/demo/candidate';
import { waitFor } from '../../harness/wait-for';
import { allScores, createAnnouncingWorld } from './announcing-world';
import type { AnnouncingWorld } from './announcing-world';

describe('announce', () => {
  /* Tests which changes of a result create a delivery, and of which event (docs/guide/webhooks.md#when-events-fire). */

  let world: AnnouncingWorld;
  beforeAll(async () => {
    world = await createAnnouncingWorld();
  });

  describe('the life of a result', () => {
    it('has an event when it is collected, submitted, scored and decided as documented', async () => {
      const enrolment = await world.enrol();
      const key = await takeInterview(world, { enrolment, until: 'started' });
      expect(await world.born(key.result_id)).toEqual([]);
      await queryWithLink(world, enrolment, finishAttempt);
      expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
      await queryWithLink(world, enrolment, submitAttempt);
      await world.database.rows(
        `update interview_result set processing_status = 'processing' where id = $1`,
        [key.result_id],
      );
      expect(await world.born(key.result_id)).toEqual([]);
      await world.writeAsWorker((trx) => recordScores(trx, key, demoScores, []));
      expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
      await world.asRecruiter((trx) =>
        decideResult(trx, key.result_id, { recruiter_go_next_round: true, recruiter_shortlist: true }),
      );
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
    });

    it('has no event for the same scores again, but one for other scores', async () => {
      const { key } = await world.scored();
      await world.born(key.result_id);
      await world.writeAsWorker((trx) => recordScores(trx, key, demoScores, []));
      expect(await world.born(key.result_id)).toEqual([]);
      await world.writeAsWorker((trx) => recordScores(trx, key, { ...demoScores, score: 2 }, []));
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'score']]);
    });

    it('has no event when it is reopened, and all events for the next attempt', async () => {
      const { enrolment, key } = await world.scored();
      await world.born(key.result_id);
      await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
      expect(await world.born(key.result_id)).toEqual([]);
      const again = await takeInterview(world, { enrolment, until: 'collected' });
      expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
      await queryWithLink(world, enrolment, submitAttempt);
      await world.writeAsWorker((trx) => recordScores(trx, again, demoScores, []));
      expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
    });

    it.each(['failed', 'abandoned', 'terminated, no speech detected'] as const)(
      'has an event when it is %s',
      async (status) => {
        const enrolment = await world.enrol();
        const key = await takeInterview(world, { enrolment, until: 'started' });
        await world.writeAsWorker((trx) => trx.one(failAttempt(key.result_id, 1, status, 'technical_error')));
        expect(await world.born(key.result_id)).toEqual([['interview_failed', 'interview_status']]);
      },
    );

    it('has an event when it is completed, stopped early', async () => {
      const key = await takeInterview(world, {
        enrolment: await world.enrol(),
        until: 'collected',
        answers: ['One.'],
      });
      expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
    });

    it('has interview_collected with the last answer and interview_result with the scores if result_view is none', async () => {
      const enrolment = await world.enrol({ result_view: 'none' });
      const key = await takeInterview(world, { enrolment });
      expect(await world.born(key.result_id)).toEqual([
        ['interview_collected', 'interview_status'],
        ['interview_result', allScores],
      ]);
    });

    it('has an event when it is inserted as finished', async () => {
      const { merchantId, environment, taken } = world.cell;
      const [row] = await world.database.rows<{ id: string }>(
        `insert into interview_result (merchant_id, environment, interview_id, status, processing_status, interview_status,
         pdf_export_url)
       values ($1, $2, $3, 'active', 'completed', 'completed', 'https://files.example/a.pdf') returning id`,
        [merchantId, environment, taken.interview],
      );
      expect(await world.born(row?.id ?? '')).toEqual([
        ['interview_result', 'status, processing_status, interview_status, pdf_export_url'],
      ]);
    });
  });

  /**
   * The fields whose change creates a delivery, in the documented order. Each has a change of a submitted result that
   * affects only this field.
   */
  const watched: [field: string, columns: Record<string, unknown>][] = [
  ['score', { score: 1.1 }],
  ['ai_analysis_recruiter_score', { ai_analysis_recruiter_score: 1.2 }],
  ['ai_analysis_recruiter', { ai_analysis_recruiter: 'Another view.' }],
  ['ai_analysis_recruiter_why_hire', { ai_analysis_other: { strengths_concerns: { strengths: ['New'], concerns: ['Few examples'] } } }],
  ['ai_analysis_recruiter_why_not_hire', { ai_analysis_other: { strengths_concerns: { strengths: ['Explains decisions with figures'], concerns: ['New'] } } }],
  ['recruiter_go_next_round', { recruiter_go_next_round: false }],
  ['pdf_export_url', { pdf_export_url: 'https://files.example/b.pdf' }],
  ['interview_status', { interview_status: 'completed, stopped early' }],
]; // prettier-ignore
  const unwatched: [column: string, columns: Record<string, unknown>][] = [
  ['ai_analysis', { ai_analysis: 'Another one.' }],
  ['another key of the analyses', { ai_analysis_other: { ...demoScores.ai_analysis_other, key_statement: { quote: 'Yes.' } } }],
  ['the older key when the newer one exists', { ai_analysis_other: { ...demoScores.ai_analysis_other, hiring_reasons: { reasons_to_hire: ['Old'] } } }],
  ['recruiter_shortlist', { recruiter_shortlist: true }],
  ['user_feedback_recruiter', { user_feedback_recruiter: 'Hm.' }],
  ['recruiter_risks', { recruiter_risks: [] }],
  ['score_simulation', { score_simulation: 1 }],
  ['duration', { duration: 1 }],
  ['pdf_failed_at', { pdf_failed_at: '2026-01-01T00:00:00Z' }],
  ['a number written another way', { score: 7.5 }],
]; // prettier-ignore

  describe('one change of a submitted result', () => {
    /** Returns the events of each of these changes of one result, by the name of the change. */
    const announced = async (changes: [name: string, columns: object, before?: object][]) => {
      const { key } = await world.scored();
      const events: Record<string, unknown> = {};
      for (const [name, columns, before] of changes) {
        await world.change(key.result_id, { ai_analysis_other: demoScores.ai_analysis_other, ...before });
        await world.born(key.result_id);
        await world.change(key.result_id, columns);
        events[name] = await world.born(key.result_id);
      }
      return events;
    };

    it('to a documented field is announced with its name', async () => {
      const changes: [string, object, object?][] = [
        ...watched,
        ['status', { status: 'active' }, { status: 'draft' }],
        ['processing_status', { processing_status: 'completed' }, { processing_status: 'processing' }],
      ];
      expect(await announced(changes)).toEqual(
        Object.fromEntries(changes.map(([field]) => [field, [['interview_result', field]]])),
      );
    });

    it('to anything else is not announced', async () => {
      expect(await announced(unwatched)).toEqual(Object.fromEntries(unwatched.map(([name]) => [name, []])));
    });

    it('to several fields is one event with all of them in the documented order', async () => {
      const { key } = await world.scored();
      await world.born(key.result_id);
      await world.change(key.result_id, {
        ...Object.assign({}, ...watched.map(([, columns]) => columns)),
        ai_analysis_other: null,
      });
      const [[event, reason] = []] = await world.born(key.result_id);
      expect([event, reason]).toEqual([
        'interview_result',
        `interview_status, ${allScores.replace('processing_status, ', '')}, recruiter_go_next_round, pdf_export_url`,
      ]);
    });

    it('to the older key is announced under the names of the newer one', async () => {
      const { key } = await world.scored();
      await world.change(key.result_id, {
        ai_analysis_other: { hiring_reasons: { reasons_to_hire: ['One'] } },
      });
      await world.born(key.result_id);
      await world.change(key.result_id, {
        ai_analysis_other: { hiring_reasons: { reasons_to_hire: ['Two'], reasons_not_to_hire: ['Three'] } },
      });
      expect(await world.born(key.result_id)).toEqual([
        ['interview_result', 'ai_analysis_recruiter_why_hire, ai_analysis_recruiter_why_not_hire'],
      ]);
    });

    it.each([
      { processing_status: 'failed' },
      { processing_status: null },
      { interview_status: 'failed' },
      { interview_status: 'started' },
    ])('to %j, or in that state, is not announced', async (columns) => {
      const { key } = await world.scored();
      await world.born(key.result_id);
      await world.change(key.result_id, columns);
      await world.change(key.result_id, { score: 1 });
      expect(await world.born(key.result_id)).toEqual([]);
    });

    it('to a draft is announced only for its interview status', async () => {
      const enrolment = await world.enrol();
      const { result_id } = await takeInterview(world, { enrolment, until: 'collected' });
      await world.born(result_id);
      for (const [field, columns] of watched)
        if (field !== 'interview_status') await world.change(result_id, columns);
      expect(await world.born(result_id)).toEqual([]);
    });
  });
});

describe('announce with pdf', () => {
  /* Tests which events wait for a PDF, and until when (docs/results.md#automatic-pdf). */

  let world: AnnouncingWorld;
  beforeAll(async () => {
    world = await createAnnouncingWorld();
  });

  describe('an interview with an automatic PDF', () => {
    const withPdf = { pdf_export_auto_config: '{"transcript": true}' };
    const pdf = 'https://files.example/a.pdf';
    const switchOff = (enrolment: string, then?: () => Promise<unknown>) =>
      world.asRecruiter(async (trx) => {
        await trx.count({
          text: `update interview set pdf_export_auto_config = null
          where id = (select interview_id from enrolment where id = $1)`,
          values: [enrolment],
        });
        await then?.();
      });

    it('holds the event until the PDF exists, and then announces everything that changed once', async () => {
      const { key } = await world.scored(withPdf);
      expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_collected']);
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
      await world.writeAsWorker((trx) => recordScores(trx, key, { ...demoScores, score: 9 }, []));
      expect(await world.born(key.result_id)).toEqual([]);
      expect(await world.held(key.result_id)).toHaveLength(1);
      await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
      expect(await world.born(key.result_id)).toEqual([
        ['interview_result', `${allScores}, recruiter_go_next_round, pdf_export_url`],
      ]);
      expect(await world.held(key.result_id)).toEqual([]);
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: false }));
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
    });

    it('announces a change at once if the PDF was switched on after the scoring, because no PDF is being made', async () => {
      const { enrolment, key } = await world.scored();
      await world.born(key.result_id);
      await world.asRecruiter((trx) =>
        trx.count({
          text: `update interview set pdf_export_auto_config = '{}'
          where id = (select interview_id from enrolment where id = $1)`,
          values: [enrolment],
        }),
      );
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
      expect(await world.held(key.result_id)).toEqual([]);
    });

    it('keeps holding the event after a failed PDF, until a later one exists', async () => {
      const { key } = await world.scored(withPdf);
      await world.born(key.result_id);
      await world.writeAsWorker((trx) => recordPdf(trx, key, null));
      expect(await world.born(key.result_id)).toEqual([]);
      expect(await world.held(key.result_id)).toHaveLength(1);
      await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
      expect(await world.born(key.result_id)).toHaveLength(1);
    });

    it('announces the result without the PDF when it is given up, and again with a later one', async () => {
      const { key } = await world.scored(withPdf);
      await world.born(key.result_id);
      const giveUp = (attempt: number) =>
        world.writeAsWorker((trx) => trx.count(giveUpPdf(key.result_id, attempt)));
      await giveUp(key.attempt + 1);
      expect(await world.born(key.result_id)).toEqual([]);
      await giveUp(key.attempt);
      await giveUp(key.attempt);
      expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
      expect(await world.held(key.result_id)).toEqual([]);
      await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'pdf_export_url']]);
      await giveUp(key.attempt);
      expect(await world.show(key.result_id)).toMatchObject({ pdf_failed_at: null });
    });

    it('announces everything once when the PDF is switched off during the hold, and later changes at once', async () => {
      const { enrolment, key } = await world.scored(withPdf);
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
      const other = await world.scored(withPdf);
      await Promise.all([key, other.key].map(({ result_id }) => world.born(result_id)));
      await switchOff(enrolment);
      expect(await world.born(key.result_id)).toEqual([
        ['interview_result', `${allScores}, recruiter_go_next_round`],
      ]);
      expect([await world.held(key.result_id), await world.held(other.key.result_id)]).toEqual([
        [],
        [expect.any(Array)],
      ]);
      expect(await world.born(other.key.result_id)).toEqual([]);
      await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: null }));
      expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
    });

    it.each(['scored first', 'switched off first'])(
      'announces a result once that is scored while the PDF is switched off, %s',
      async (first) => {
        const enrolment = await world.enrol(withPdf);
        const key = await takeInterview(world, { enrolment, until: 'submitted' });
        await world.born(key.result_id);
        const score = (then?: () => Promise<unknown>) =>
          world.writeAsWorker(async (trx) => {
            await recordScores(trx, key, demoScores, []);
            await then?.();
          });
        const off = (then?: () => Promise<unknown>) => switchOff(enrolment, then);
        const [leading, following] = first === 'scored first' ? [score, off] : [off, score];
        let followed: Promise<unknown> = Promise.resolve();
        await leading(async () => {
          followed = following();
          await waitFor('the other one to wait', async () => {
            const waiting = await world.database.rows(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            );
            return waiting.length === 1;
          });
        });
        await followed;
        expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_result']);
        expect(await world.held(key.result_id)).toEqual([]);
      },
    );

    it('forgets a held event when the result is reopened, and holds the next attempt for its own PDF', async () => {
      const { enrolment, key } = await world.scored(withPdf);
      await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
      expect(await world.held(key.result_id)).toEqual([]);
      await world.born(key.result_id);
      const again = await takeInterview(world, { enrolment });
      expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_collected']);
      expect(await world.held(key.result_id)).toHaveLength(1);
      await world.writeAsWorker((trx) => recordPdf(trx, again, pdf));
      expect(await world.born(key.result_id)).toEqual([['interview_result', `${allScores}, pdf_export_url`]]);
    });
  });
});

describe('announce endpoints', () => {
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
        const enrolment = await world.enrol();
        const key = await takeInterview(world, { enrolment, until: 'started' });
        // A link to a public avatar begins nothing, so the type is set after the beginning.
        await world.database.rows(
          'update interview i set type = $2 from interview_result r where r.id = $1 and i.id = r.interview_id',
          [key.result_id, type],
        );
        await queryWithLink(world, enrolment, finishAttempt);
        await queryWithLink(world, enrolment, submitAttempt);
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
      await queryWithLink(world, enrolment, finishAttempt);
      expect(await world.born(key.result_id)).toHaveLength(1);
      await queryWithLink(world, enrolment, submitAttempt);
      await world.writeAsWorker((trx) => recordScores(trx, key, demoScores, []));
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
});
