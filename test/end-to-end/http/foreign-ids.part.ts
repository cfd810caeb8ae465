import { randomUUID } from 'node:crypto';
import { reportCreate } from '../../../api/reports/report-create';
import { knowledgeBases, merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/interviews';
import {
  allOperations,
  fieldsOf,
  inputSchema,
  putAt,
  wireName,
} from '../../harness/platform/operation-inputs';
import type { Path } from '../../harness/platform/operation-inputs';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';
import { putDelivery, putEndpoint, putReplay, putResult } from '../../harness/webhooks/webhook-rows';
import { waitFor } from '../../harness/wait-for';
import { errorBody } from '../../harness/platform/error-body';

let platform: Platform;
const deletedInterview = interviewId('archived');
const deletedPosition = randomUUID();
const unbuiltInterview = interviewId('german');
let hidden: [what: string, id: string][];
let ownReport: string;
let scoredResult: string;
/**
 * Operations that accept only a scored result. The submitted result of the stack does not qualify, because earlier
 * calls have reopened it.
 */
const needsScores = new Set(['job-interview-result-rescore', 'job-interview-result-override-score']);
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  await platform.database.rows(`update interview set status = 'deleted' where id = $1`, [deletedInterview]);
  await platform.database.rows('update interview set built_at = null where id = $1', [unbuiltInterview]);
  await platform.database.rows(
    `insert into position (id, merchant_id, environment, name, status, visibility, interview_location)
     values ($1, $2, 'production', 'Gone', 'deleted', 'merchant_public', 'x')`,
    [deletedPosition, merchants.main.id],
  );
  hidden = await hiddenIds();
  ownReport = await putReport(merchants.main.id);
  scoredResult = await putScoredResult();
});

async function putReport(merchantId: string): Promise<string> {
  const id = randomUUID();
  await platform.database.rows(`insert into report (id, merchant_id, title) values ($1, $2, 'Any')`, [
    id,
    merchantId,
  ]);
  await platform.database.rows(
    'insert into report_version (merchant_id, report_id, version, definition) values ($1, $2, 1, $3)',
    [merchantId, id, JSON.stringify(reportCreate.example.definition)],
  );
  return id;
}

/** Adds a scored result with one answer. */
async function putScoredResult(): Promise<string> {
  const id = await putResult(platform.database, {
    status: 'active',
    interview_status: 'completed',
    processing_status: 'completed',
  });
  await platform.database.rows(
    `insert into attempt_step (merchant_id, environment, result_id, attempt, place, kind, view, text,
       platform_language_code, mode, is_required, is_scored, max_followups)
     select merchant_id, environment, id, attempt, 1, 'question', 'with listening', 'Why?', 'en', 'text', true, true, 0
     from interview_result where id = $1`,
    [id],
  );
  await platform.database.rows(
    `insert into result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view, answer)
     select merchant_id, environment, id, attempt, 1, true, 'with listening', 'Because.'
     from interview_result where id = $1`,
    [id],
  );
  return id;
}

async function putSchedule(reportId: string): Promise<string> {
  const id = randomUUID();
  await platform.database.rows(
    `insert into report_schedule (id, merchant_id, environment, report_id, creator_id, every, format, recipients)
     values ($1, $2, 'production', $3, $4, 'week', 'pdf', array[$4]::uuid[])`,
    [id, merchants.main.id, reportId, people.merchant.id],
  );
  return id;
}

/**
 * Returns ids that are hidden from a caller of the main merchant in production. The API must treat them like ids that
 * do not exist.
 */
async function hiddenIds(): Promise<[string, string][]> {
  const [foreignQuestion] = await platform.database.rows<{ id: string }>(
    'select id from question where merchant_id = $1 limit 1',
    [merchants.other.id],
  );
  const [embedKey] = await platform.database.rows<{ id: string }>(
    `insert into embed_key (merchant_id, environment, interview_id, signing_key_sealed)
     values ($1, 'production', $2, 'x') on conflict (merchant_id, interview_id) where revoked_at is null
     do update set signing_key_sealed = 'x' returning id`,
    [merchants.other.id, interviewId('other')],
  );
  const theirs = { merchant_id: merchants.other.id, environment: 'production' };
  const endpoint = await putEndpoint(platform.database, {}, theirs);
  const elsewhere = { merchant_id: merchants.main.id, environment: 'uat' };
  const uatEndpoint = await putEndpoint(platform.database, {}, elsewhere);
  const foreignBase = knowledgeBases.find(({ merchantId }) => merchantId === merchants.other.id);
  return [
    ['a foreign interview', interviewId('other')],
    ['a sub-merchant’s interview', interviewId('sub')],
    ['a foreign position', positionIds.other],
    ['a foreign question', foreignQuestion?.id ?? ''],
    ['a foreign embed key', embedKey?.id ?? ''],
    ['a foreign knowledge base', foreignBase?.id ?? ''],
    ['a foreign webhook endpoint', endpoint],
    ['a foreign delivery', await putDelivery(platform.database, endpoint)],
    ['a foreign replay', await putReplay(platform.database, {}, theirs)],
    ['a foreign result', await putResult(platform.database, {}, theirs, interviewId('other'))],
    ['a webhook endpoint of another environment', uatEndpoint],
    ['a delivery of another environment', await putDelivery(platform.database, uatEndpoint)],
    ['a replay of another environment', await putReplay(platform.database, {}, elsewhere)],
    [
      'a result of another environment',
      await putResult(platform.database, {}, elsewhere, interviewId('uat')),
    ],
    ['a foreign report', await putReport(merchants.other.id)],
    ['a foreign profile', people.other_merchant_owner.id],
    ['a foreign merchant', merchants.other.id],
    ['an interview of another environment', interviewId('uat')],
    ['a foreign one of another environment', interviewId('other-uat')],
    ['a deleted interview', deletedInterview],
    ['a deleted position', deletedPosition],
    ['an interview that is being built', unbuiltInterview],
  ];
}

/** All fields that contain an id, for every operation, with the path of the field in the request. */
const idFields = allOperations.flatMap((operation) =>
  fieldsOf(inputSchema(operation))
    .filter(({ path, schema }) => schema.format === 'uuid' && path[0] !== 'merchant_id')
    .filter(({ path }) => !Object.hasOwn(operation.aliases ?? {}, path[0] ?? ''))
    .map(({ path }): [string, string, Path] => [operation.name, wireName(path), path]),
);

/**
 * Returns existing ids for the other fields of a call, so that the handler does not fail before it validates `field`.
 */
const realInput = (name: string, field: string): Record<string, unknown> => {
  const { ids, template_ids } = platform.stack;
  return {
    ...(name.startsWith('job-interview-create')
      ? { interview_template_id: template_ids.interactive_avatar_1 }
      : {}),
    ...(name === 'report-create' ? { definition: undefined } : {}),
    ...(name === 'report-schedule'
      ? { recipients: [people.merchant.id], ...(field === 'id' ? {} : { id: ownReport }) }
      : {}),
    ...(field === 'result_question_id' ? { interview_result_id: scoredResult, score: 4 } : {}),
    ...(field === 'position_ids[0]' ? { profile_id: people.merchant_selection.id } : {}),
    ...(name === 'job-interview-update' && field !== 'position_id'
      ? { position_id: ids.draft_interview }
      : {}),
  };
};

/**
 * Returns the table in which the operation stores a row before it waits for a worker, or undefined if it stores none.
 * No worker runs in these tests.
 */
const storedFirst = (name: string): string | undefined =>
  name.startsWith('job-interview-create')
    ? 'interview'
    : { 'merchant-technical-issue': 'technical_issue' }[name];
const count = async (table: string): Promise<number> =>
  (await platform.database.rows<{ count: number }>(`select count(*)::int from ${table}`))[0]?.count ?? 0;

describe.each(idFields)('%s %s', (name, field, path) => {
  const operation = allOperations.find((each) => each.name === name);
  if (!operation) throw new Error(name);
  const inputWith = (id: string) => {
    const base = { ...(operation.example as object), ...realInput(name, field) };
    return putAt(base, inputSchema(operation), path, id);
  };
  const ask = async (id: string) => {
    const input = inputWith(id);
    const { status, text, headers } = await platform.call(
      name,
      operation.method === 'GET' ? { query: input as Record<string, string> } : { body: input },
    );
    const kept = [...headers].filter(([header]) => !['x-request-id', 'date'].includes(header));
    return { status, text, headers: kept };
  };

  it('returns the same reply for an id that the caller may not see as for an unknown id', async () => {
    const unknown = await ask(randomUUID());
    const [, firstField] = idFields.find(([each]) => each === name) ?? [];
    const isMain = operation.statuses.includes(404) && field === firstField;
    expect(unknown.status).toBe(isMain ? 404 : 422);
    expect(JSON.parse(unknown.text)).toEqual(errorBody(isMain ? 'not_found' : 'unknown_id', field));
    expect(await ask(randomUUID())).toEqual(unknown);
    for (const [what, id] of hidden) expect([what, await ask(id)]).toEqual([what, unknown]);
    expect(await ask(interviewId('other').toUpperCase())).toEqual(unknown);
  });

  it('returns another reply for an id that the caller may see', async () => {
    const { ids, template_ids } = platform.stack;
    if (name === 'job-interview-pdf') {
      // No worker renders PDFs in this test. The test therefore uses a result whose content was erased: for this
      // result, the call fails with a different message than for an unknown id.
      const erased = await putResult(platform.database);
      await platform.database.rows('update interview_result set erased_at = now() where id = $1', [erased]);
      expect((await ask(erased)).text).not.toEqual((await ask(randomUUID())).text);
      return;
    }
    const [question] = await platform.database.rows<{ id: string }>(
      `select q.id from question q join interview_question l on l.question_id = q.id
       where q.merchant_id = $1 and q.view = 'question' and l.interview_id = $2 limit 1`,
      [merchants.main.id, ids.draft_interview],
    );
    const ownRows: Record<string, () => Promise<string>> = {
      profile_interview_id: async () => {
        const [result] = await platform.database.rows<{ enrolment_id: string }>(
          'select enrolment_id from interview_result where id = $1',
          [ids.submitted_result],
        );
        return result?.enrolment_id ?? '';
      },
      result_question_id: async () => {
        const [answer] = await platform.database.rows<{ id: string }>(
          'select id from result_question where result_id = $1',
          [scoredResult],
        );
        return answer?.id ?? '';
      },
      endpoint_id: () => putEndpoint(platform.database),
      delivery_id: async () =>
        putDelivery(platform.database, await putEndpoint(platform.database), { state: 'gave_up' }),
      replay_id: () => putReplay(platform.database),
      result_id: () => putResult(platform.database),
      id: () => putReport(merchants.main.id),
      schedule_id: () => putSchedule(ownReport),
    };
    const own: Record<string, string | undefined> = {
      position_id: ids.draft_interview,
      'position_ids[0]': ids.active_interview,
      interview_id: ids.active_interview,
      interview_template_id: template_ids.interactive_avatar_1,
      knowledge_base_store_id: ids.knowledge_base,
      recruiter_profile_id: people.merchant.id,
      profile_id: people.mentor.id,
      'recipients[0]': people.merchant.id,
      interview_result_id: needsScores.has(name) ? scoredResult : ids.submitted_result,
      from_template: '0198a000-0000-7000-8000-00000000c001',
      'questions[0].id': question?.id ?? '',
      'questions[0].knowledge_base_id': ids.knowledge_base,
    };
    const id = own[field] ?? (await ownRows[field]?.());
    if (id === undefined) throw new Error(`foreign-ids.part.ts needs an own id for ${field}`);
    const table = storedFirst(name);
    if (table === undefined) return expect((await ask(id)).status).toBe(200);
    const before = await count(table);
    const hangUp = new AbortController();
    const outcome = await Promise.race([
      platform.call(name, { body: inputWith(id), signal: hangUp.signal }).then(({ status }) => status),
      waitFor(`a row of ${table}`, async () => (await count(table)) > before && 'stored'),
    ]);
    hangUp.abort();
    expect(outcome).toBe('stored');
  });
});

describe('every operation with an id', () => {
  it('is tested here', () => {
    expect(idFields.length).toBeGreaterThan(10);
    expect(new Set(idFields.map(([name]) => name))).toContain('job-interview-get');
  });
});
