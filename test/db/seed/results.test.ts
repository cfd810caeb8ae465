import { createSeal } from '../../../db/platform/sealed';
import { seed } from '../../../local/seed';
import { recordedResultId, recordingPaths } from '../../../local/seed/recordings';
import { resultId } from '../../../local/seed/results';
import { demoEndpointId, demoSigningSecret, seedWebhooks } from '../../../local/seed/webhooks';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
const sealingKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const webhooks = () => seedWebhooks(database.adminUrl, { sealingKeys, fakesUrl: 'http://127.0.0.1:8081' });
beforeAll(async () => {
  database = await createDatabase();
  await webhooks();
});

const counts = async () =>
  (
    await database.rows<Record<string, number>>(
      `select (select count(*) from interview_result)::int as results,
         (select count(*) from interview_result_attempt)::int as attempts,
         (select count(*) from result_question)::int as interactions,
         (select count(*) from webhook_endpoint)::int as endpoints,
         (select count(*) from webhook_delivery)::int as deliveries,
         (select count(*) from webhook_attempt)::int as sent`,
    )
  )[0];

describe('the seeded results', () => {
  it('have every state, with the data that belongs to it', async () => {
    const states = await database.rows(
      `select status, interview_status, processing_status, bool_and(score is not null) as scored,
         bool_and(ended_at is not null) as ended, bool_and(is_successful) as successful
       from interview_result group by 1, 2, 3 order by 1, 2, 3`,
    );
    expect(states).toEqual([
      { status: 'active', interview_status: 'completed', processing_status: 'completed', scored: true, ended: true, successful: true },
      { status: 'draft', interview_status: 'completed', processing_status: null, scored: false, ended: true, successful: null },
      { status: 'draft', interview_status: 'failed', processing_status: null, scored: false, ended: true, successful: null },
      { status: 'draft', interview_status: 'started', processing_status: null, scored: false, ended: false, successful: null },
      { status: 'draft', interview_status: null, processing_status: null, scored: false, ended: false, successful: false },
    ]); // prettier-ignore
  });

  it('include a reopened result, whose earlier attempt is unchanged', async () => {
    const [attempt] = await database.rows(
      `select a.attempt, a.fields, r.attempt as latest, r.status, r.score from interview_result_attempt a
       join interview_result r on r.id = a.result_id`,
    );
    expect(attempt).toMatchObject({
      attempt: 1,
      latest: 2,
      status: 'draft',
      score: null,
      fields: {
        id: resultId('active', 4),
        attempt: 1,
        status: 'active',
        score: expect.any(Number),
        ai_analysis_recruiter_why_hire: expect.arrayContaining([expect.any(String)]),
      },
    });
  });

  it('include recordings of one session and of its first answer', async () => {
    const [row] = await database.rows(
      `select r.recording_local_path, q.recording_local_path as answer, q.is_answer from interview_result r
       join result_question q on q.result_id = r.id and q.recording_local_path is not null where r.id = $1`,
      [recordedResultId],
    );
    expect(row).toEqual({
      recording_local_path: recordingPaths.session,
      answer: recordingPaths.firstAnswer,
      is_answer: true,
    });
  });

  it('do not change when they are seeded again', async () => {
    const before = await counts();
    await seed(database.adminUrl);
    await webhooks();
    expect(await counts()).toEqual(before);
  });
});

describe('the seeded endpoint', () => {
  it('has acknowledged deliveries and one that was given up, and none that is still to be sent', async () => {
    const states = await database.rows(
      `select state, count(*)::int as deliveries, max(attempts) as attempts from webhook_delivery
       group by state order by state`,
    );
    expect(states).toEqual([
      { state: 'acknowledged', deliveries: 5, attempts: 3 },
      { state: 'gave_up', deliveries: 1, attempts: 10 },
    ]);
    const [wrong] = await database.rows(
      `select count(*)::int as wrong from webhook_attempt a
       where a.started_at > now() or a.request_body::jsonb ->> 'id' is null`,
    );
    expect(wrong).toEqual({ wrong: 0 });
  });

  it('has a secret that can be opened', async () => {
    const [row] = await database.rows<{ id: string; secret_sealed: Buffer }>(
      'select id, secret_sealed from webhook_secret where endpoint_id = $1',
      [demoEndpointId],
    );
    const opened = createSeal(sealingKeys).open(
      row?.secret_sealed ?? Buffer.of(),
      `webhook_secret/${row?.id}`,
    );
    expect(opened).toBe(demoSigningSecret);
    expect(Buffer.from(opened.replace('whsec_', ''), 'base64')).toHaveLength(32);
  });
});
