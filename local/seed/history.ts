import { Client } from 'pg';
import { interviewId } from './fixed-id';
import { addApplications, emptyHistory } from './history/applications';
import type { History } from './history/applications';
import { addCoaching } from './history/coaching';
import { seedLedger } from './history/credits';
import { openings, seedOpenings } from './history/openings';
import { createRandom } from './history/random';
import { seedReports } from './history/reports';
import { seedStageTimes } from './history/stages';
import { resultColumns } from './results';
import { transcriptOf } from './transcripts';
import type { InterviewStep } from './transcripts';

/** The number of results with a transcript. The newest results have one, because people open these most. */
const transcripts = 150;

/**
 * Seeds two years of results, invitations, coaching sessions and credits up to now, so that reports have something to
 * show. Only `npm start` calls it, after `seed`; tests insert the few rows that they need. A second call does
 * nothing.
 */
export async function seedHistory(adminUrl: string, now = Date.now()): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const last = interviewId(openings[1]?.steps[0] ?? '');
    const { rowCount } = await client.query('select from interview where id = $1', [last]);
    if (rowCount !== 0) return;
    const history = emptyHistory();
    const random = createRandom(20_241_104);
    addApplications(random, history, now);
    addCoaching(random, history, now);
    await client.query('begin');
    await seedOpenings(client, now);
    await insertHistory(client, history);
    await seedStageTimes(client);
    await seedLedger(client);
    await seedReports(client, now);
    await client.query('commit');
    // Without this, lists time out until autovacuum has run.
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

async function insertHistory(client: Client, history: History): Promise<void> {
  const load = (statement: string, rows: readonly object[]) =>
    client.query(statement, [JSON.stringify(rows)]);
  await load(
    `insert into profile (id, merchant_id, role, name, email, email_key, created_at, activated_at)
     select id, merchant_id, role, name, email, email_key, created_at, activated_at
     from jsonb_populate_recordset(null::profile, $1)`,
    history.profiles,
  );
  await load(
    `insert into enrolment (id, merchant_id, environment, interview_id, position_id, profile_id, name, email, email_key,
       source, invited_at, created_at, updated_at)
     select id, merchant_id, environment, interview_id, position_id, profile_id, name, email, email_key, source, invited_at,
       created_at, updated_at from jsonb_populate_recordset(null::enrolment, $1)`,
    history.enrolments,
  );
  // Endpoints must not get webhooks about results of past years.
  await client.query('alter table interview_result disable trigger interview_result_announce_added');
  const columns = `merchant_id, environment, ${resultColumns.join(', ')}`;
  await load(
    `insert into interview_result (${columns}) select ${columns} from jsonb_populate_recordset(null::interview_result, $1)`,
    history.results.map((row) => ({ is_successful: row['status'] === 'active' ? true : null, ...row })),
  );
  await client.query('alter table interview_result enable trigger interview_result_announce_added');
  await load(
    `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, reopened_at)
     select r.merchant_id, r.environment, r.id, (finished ->> 'attempt')::int, to_jsonb(jsonb_populate_record(r, finished)),
       (finished ->> 'reopened_at')::timestamptz
     from jsonb_array_elements($1) finished join interview_result r on r.id = (finished ->> 'id')::uuid`,
    history.finished,
  );
  await load(
    `insert into invitation (merchant_id, environment, invited_at, inviter_id, type, result, channel, interview_id, position_id,
       enrolment_id, profile_id, language, is_test, expires_at)
     select merchant_id, environment, invited_at, inviter_id, type, result, channel, interview_id, position_id, enrolment_id,
       profile_id, language, is_test, expires_at from jsonb_populate_recordset(null::invitation, $1)`,
    history.invitations,
  );
  await insertReminders(client, history);
  await insertTranscripts(client, history);
}

/** Inserts the sent reminders, in one batch for each merchant and environment. */
async function insertReminders(client: Client, { mails }: History): Promise<void> {
  await client.query(
    `with m as (select * from jsonb_populate_recordset(null::mail, $1)),
     b as (
       insert into invitation_batch (merchant_id, environment, platform_language_code, created_at)
       select merchant_id, environment, 'en', min(created_at) from m group by 1, 2 returning *
     )
     insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state, attempts, sent_at, created_at)
     select m.merchant_id, m.environment, b.id, 'reminder', m.profile_id, m.enrolment_id, 'sent', 1, m.created_at, m.created_at
     from m join b on b.merchant_id = m.merchant_id and b.environment = m.environment`,
    [JSON.stringify(mails)],
  );
}

async function insertTranscripts(client: Client, { results }: History): Promise<void> {
  const { rows: steps } = await client.query<InterviewStep>(
    `select l.interview_id, q.id, q.view, q.question, q.is_candidate_asking_recruiter from interview_question l
     join question q on q.id = l.question_id order by l.interview_id, l.step_order`,
  );
  const takenAt = (row: (typeof results)[number]) => Date.parse(String(row['started_at']));
  const newest = results
    .filter(({ attempt, status }) => attempt === 1 && status === 'active')
    .toSorted((a, b) => takenAt(b) - takenAt(a))
    .slice(0, transcripts);
  await client.query(
    `insert into result_question (merchant_id, environment, id, result_id, attempt, step_order, is_answer, view,
       question_original_id, question_original, question_asked, answer, ai_analysis, ai_analysis_recruiter, score,
       score_answer_ai, duration, platform_language_code, created_at)
     select merchant_id, environment, id, result_id, attempt, step_order, is_answer, view, question_original_id,
       question_original, question_asked, answer, ai_analysis, ai_analysis_recruiter, score, score_answer_ai, duration,
       platform_language_code, created_at
     from jsonb_populate_recordset(null::result_question, $1)`,
    [
      JSON.stringify(
        newest.flatMap((row, index) =>
          transcriptOf(
            { result_id: row.id, key: '', index, fate: 'decided', takenAt: takenAt(row), isScored: true },
            steps.filter(({ interview_id }) => interview_id === row.interview_id),
          ).map((line) => ({ ...line, merchant_id: row['merchant_id'], environment: row['environment'] })),
        ),
      ),
    ],
  );
}
