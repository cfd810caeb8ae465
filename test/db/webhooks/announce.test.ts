import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { recordScores, setProcessing } from '../../../db/results/results';
import { failAttempt } from '../../../db/taking/attempt-work';
import { finishAttempt, submitAttempt } from '../../../db/taking/attempts';
import { onLink, scores, takeInterview } from '../../../local/demo/candidate';
import { allScores, createAnnouncingWorld } from './announcing-world';
import type { AnnouncingWorld } from './announcing-world';

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
    await onLink(world, enrolment, finishAttempt);
    expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
    await onLink(world, enrolment, submitAttempt);
    await world.writeAsWorker((trx) => setProcessing(trx, key, 'processing'));
    expect(await world.born(key.result_id)).toEqual([]);
    await world.writeAsWorker((trx) => recordScores(trx, key, scores, []));
    expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
    await world.asRecruiter((trx) =>
      decideResult(trx, key.result_id, { recruiter_go_next_round: true, recruiter_shortlist: true }),
    );
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
  });

  it('has no event for the same scores again, but one for other scores', async () => {
    const { key } = await world.scored();
    await world.born(key.result_id);
    await world.writeAsWorker((trx) => recordScores(trx, key, scores, []));
    expect(await world.born(key.result_id)).toEqual([]);
    await world.writeAsWorker((trx) => recordScores(trx, key, { ...scores, score: 2 }, []));
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'score']]);
  });

  it('has no event when it is reopened, and all events for the next attempt', async () => {
    const { enrolment, key } = await world.scored();
    await world.born(key.result_id);
    await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
    expect(await world.born(key.result_id)).toEqual([]);
    const again = await takeInterview(world, { enrolment, until: 'collected' });
    expect(await world.born(key.result_id)).toEqual([['interview_collected', 'interview_status']]);
    await onLink(world, enrolment, submitAttempt);
    await world.writeAsWorker((trx) => recordScores(trx, again, scores, []));
    expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
  });

  it.each(['failed', 'abandoned', 'terminated, no speech detected'] as const)(
    'has an event when it is %s',
    async (status) => {
      const enrolment = await world.enrol();
      const key = await takeInterview(world, { enrolment, until: 'started' });
      await world.writeAsWorker((trx) => trx.one(failAttempt(key.result_id, 1, status, 'Any.')));
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
  ['another key of the analyses', { ai_analysis_other: { ...scores.ai_analysis_other, key_statement: { quote: 'Yes.' } } }],
  ['the older key when the newer one exists', { ai_analysis_other: { ...scores.ai_analysis_other, hiring_reasons: { reasons_to_hire: ['Old'] } } }],
  ['recruiter_shortlist', { recruiter_shortlist: true }],
  ['user_feedback_recruiter', { user_feedback_recruiter: 'Hm.' }],
  ['recruiter_risks', { recruiter_risks: [] }],
  ['score_simulation', { score_simulation: 1 }],
  ['duration', { duration: 1 }],
  ['pdf_failed_at', { pdf_failed_at: '2026-01-01T00:00:00Z' }],
  ['a number written another way', { score: 7.5 }],
]; // prettier-ignore

describe('one change of a submitted result', () => {
  it.each<[string, object, object?]>([
    ...watched,
    ['status', { status: 'active' }, { status: 'draft' }],
    ['processing_status', { processing_status: 'completed' }, { processing_status: 'processing' }],
  ])('to %s is announced with that name', async (field, columns, before: object | null = null) => {
    const { key } = await world.scored();
    if (before) await world.change(key.result_id, before);
    await world.born(key.result_id);
    await world.change(key.result_id, columns);
    expect(await world.born(key.result_id)).toEqual([['interview_result', field]]);
  });

  it.each(unwatched)('to %s is not announced', async (_, columns) => {
    const { key } = await world.scored();
    await world.born(key.result_id);
    await world.change(key.result_id, columns);
    expect(await world.born(key.result_id)).toEqual([]);
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
