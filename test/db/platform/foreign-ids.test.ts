import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../api/platform/operation/define-operation';
import { reportCreate } from '../../../api/reports/report-create';
import { knowledgeBases, merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { eachOf } from '../../harness/each-row';
import { cloneInterview, makePosition } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import {
  allOperations,
  callerOf,
  fieldsOf,
  inputSchema,
  putAt,
  wireName,
} from '../../harness/platform/operation-inputs';
import type { Path } from '../../harness/platform/operation-inputs';
import type { Operations } from '../../harness/platform/operations';
import { openOperations } from '../../harness/platform/operations';
import { waitFor } from '../../harness/wait-for';
import { ours, putDelivery, putEndpoint, putReplay, putResult } from '../../harness/webhooks/webhook-rows';

/** The tables to which the fields refer. Templates of interviews belong to no merchant, so none of them is hidden. */
const kinds = {
  interview_template_id: 'template',
  from_template: 'report',
  id: 'report',
  schedule_id: 'schedule',
  position_id: 'interview',
  'position_ids[0]': 'interview',
  'steps[0]': 'interview',
  interview_id: 'interview',
  parent_merchant_id: 'merchant',
  actor: 'profile',
  'questions[0].id': 'question',
  'questions[0].knowledge_base_id': 'knowledge base',
  knowledge_base_store_id: 'knowledge base',
  knowledge_base_id: 'knowledge base',
  recruiter_profile_id: 'profile',
  profile_id: 'profile',
  'recipients[0]': 'profile',
  profile_interview_id: 'enrolment',
  interview_result_id: 'result',
  result_id: 'result',
  result_question_id: 'answer',
  endpoint_id: 'endpoint',
  delivery_id: 'delivery',
  replay_id: 'replay',
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

let platform: Operations;
const deletedInterview = interviewId('archived');
const deletedPosition = randomUUID();
const unbuiltInterview = interviewId('german');
/** A position without steps, and for each operation with steps an interview that is a step of none. */
let emptyPosition: string;
const freeInterviews: Record<string, string> = {};
let hidden: Record<Kind, [what: string, id: string][]>;
let ownReport: string;
let scoredResult: string;
/** Operations that accept only a scored result. Earlier calls have reopened the submitted result of the stack. */
const needsScores = new Set(['job-interview-result-rescore', 'job-interview-result-override-score']);
beforeAll(async () => {
  platform = await openOperations();
  await platform.database.rows(`update interview set status = 'deleted' where id = $1`, [deletedInterview]);
  await platform.database.rows('update interview set built_at = null where id = $1', [unbuiltInterview]);
  await platform.database.rows(
    `insert into position (id, merchant_id, environment, name, status, visibility, interview_location)
     values ($1, $2, 'production', 'Gone', 'deleted', 'merchant_public', 'x')`,
    [deletedPosition, merchants.main.id],
  );
  emptyPosition = await makePosition(platform.database, []);
  for (const name of ['position-create', 'position-update-steps'])
    freeInterviews[name] = await cloneInterview(platform.database);
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
async function putScoredResult(owner = ours, interview?: string): Promise<string> {
  const scored = { status: 'active', interview_status: 'completed', processing_status: 'completed' };
  const id = await putResult(platform.database, scored, owner, interview);
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

/** Returns the first id that a query with one parameter finds. */
const findId = async (query: string, value: string): Promise<string> =>
  (await platform.database.rows<{ id: string }>(query, [value]))[0]?.id ?? '';
const putEnrolment = (interview: string) =>
  findId(
    `insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
     select i.merchant_id, i.environment, i.id, p.id, key, key
     from interview i join profile p on p.merchant_id = i.merchant_id
     cross join cast(gen_random_uuid() || '@example.com' as text) key where i.id = $1 limit 1 returning id`,
    interview,
  );
const answerOf = (resultId: string) =>
  findId('select id from result_question where result_id = $1', resultId);

async function putSchedule(reportId: string, merchantId: string): Promise<string> {
  const id = randomUUID();
  await platform.database.rows(
    `insert into report_schedule (id, merchant_id, environment, report_id, creator_id, every, format, recipients)
     values ($1, $2, 'production', $3, $4, 'week', 'pdf', array[$4]::uuid[])`,
    [id, merchantId, reportId, people.merchant.id],
  );
  return id;
}

/**
 * Returns ids, by kind, that are hidden from a caller of the main merchant in production. The API must treat them like
 * ids that do not exist.
 */
async function hiddenIds(): Promise<typeof hidden> {
  const { database } = platform;
  const theirs = { ...ours, merchant_id: merchants.other.id };
  const elsewhere = { ...ours, environment: 'uat' };
  const endpoint = await putEndpoint(database, {}, theirs);
  const endpointElsewhere = await putEndpoint(database, {}, elsewhere);
  const result = await putScoredResult(theirs, interviewId('other'));
  const resultElsewhere = await putScoredResult(elsewhere, interviewId('uat'));
  const report = await putReport(merchants.other.id);
  const base = knowledgeBases.find(({ merchantId }) => merchantId === merchants.other.id);
  const both = (foreign: string, other: string): [string, string][] => [
    ['foreign', foreign],
    ['of another environment', other],
  ];
  return {
    template: [],
    // Whoever may call the operation may see every merchant, but a sub-merchant cannot be a parent.
    merchant: [['a sub-merchant', merchants.sub.id]],
    interview: [
      ...both(interviewId('other'), interviewId('uat')),
      ['foreign and of another environment', interviewId('other-uat')],
      ['of a sub-merchant', interviewId('sub')],
      ['deleted', deletedInterview],
      ['being built', unbuiltInterview],
      ['a foreign position', positionIds.other],
      ['a deleted position', deletedPosition],
    ],
    question: [
      ['foreign', await findId('select id from question where merchant_id = $1', merchants.other.id)],
    ],
    'knowledge base': [['foreign', base?.id ?? '']],
    profile: [['foreign', people.other_merchant_owner.id]],
    result: both(result, resultElsewhere),
    enrolment: both(await putEnrolment(interviewId('other')), await putEnrolment(interviewId('uat'))),
    answer: both(await answerOf(result), await answerOf(resultElsewhere)),
    report: [['foreign', report]],
    schedule: [['foreign', await putSchedule(report, merchants.other.id)]],
    endpoint: both(endpoint, endpointElsewhere),
    delivery: both(await putDelivery(database, endpoint), await putDelivery(database, endpointElsewhere)),
    replay: both(await putReplay(database, {}, theirs), await putReplay(database, {}, elsewhere)),
  };
}

type IdField = { name: string; field: string; path: Path; operation: Operation };
/** All fields that contain an id, for every operation, with the path of the field in the request. */
const idFields = allOperations.flatMap((operation) =>
  fieldsOf(inputSchema(operation))
    .filter(({ path, schema }) => schema.format === 'uuid' && path[0] !== 'merchant_id')
    .filter(({ path }) => !Object.hasOwn(operation.aliases ?? {}, path[0] ?? ''))
    // This field is another name of `position_id`, and not an alias only because the two may differ.
    .filter(({ path }) => operation.name !== 'job-interview-update' || path[0] !== 'interview_id')
    .map(({ path }): IdField => ({ name: operation.name, field: wireName(path), path, operation })),
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
    ...(name === 'merchant-credit-add' ? { bucket: 'single' } : {}),
    ...(field === 'position_ids[0]' ? { profile_id: people.merchant_selection.id } : {}),
    ...(name in freeInterviews ? { steps: [freeInterviews[name]] } : {}),
    ...(name === 'position-update-steps' ? { position_id: emptyPosition } : {}),
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

const inputWith = ({ name, field, path, operation }: IdField, id: string) => {
  const { merchant } = callerOf(operation, platform.stack);
  const base = { ...(operation.example as object), ...merchant, ...realInput(name, field) };
  return putAt(base, inputSchema(operation), path, id);
};
const ask = async (of: IdField, id: string) => {
  const input = inputWith(of, id);
  const { status, text, headers } = await platform.call(of.name, {
    token: callerOf(of.operation, platform.stack).token,
    ...(of.operation.method === 'GET' ? { query: input as Record<string, string> } : { body: input }),
  });
  const kept = [...headers].filter(([header]) => !['x-request-id', 'date'].includes(header));
  return { status, text, headers: kept };
};
/** Returns the id of an object that the caller may see and that the operation accepts in this field. */
async function ownId({ name, field }: IdField): Promise<string> {
  const { ids, template_ids } = platform.stack;
  const { database } = platform;
  const ownRows: Record<string, () => Promise<string>> = {
    'steps[0]': () => cloneInterview(database),
    'questions[0].id': () =>
      findId(
        `select q.id from question q join interview_question l on l.question_id = q.id
         where q.view = 'question' and l.interview_id = $1`,
        ids.draft_interview,
      ),
    profile_interview_id: () => putEnrolment(ids.active_interview),
    result_question_id: () => answerOf(scoredResult),
    endpoint_id: () => putEndpoint(database),
    delivery_id: async () => putDelivery(database, await putEndpoint(database), { state: 'gave_up' }),
    replay_id: () => putReplay(database),
    result_id: () => putResult(database),
    id: () => putReport(merchants.main.id),
    schedule_id: () => putSchedule(ownReport, merchants.main.id),
  };
  const own: Record<string, string | undefined> = {
    position_id:
      { 'position-update-steps': emptyPosition, 'job-interview-list': ids.position }[name] ??
      ids.draft_interview,
    'position_ids[0]': ids.active_interview,
    interview_id: ids.active_interview,
    interview_template_id: template_ids.interactive_avatar_1,
    knowledge_base_store_id: ids.knowledge_base,
    knowledge_base_id: ids.knowledge_base,
    recruiter_profile_id: people.merchant.id,
    profile_id: people.mentor.id,
    actor: people.mentor.id,
    parent_merchant_id: merchants.main.id,
    'recipients[0]': people.merchant.id,
    interview_result_id: needsScores.has(name) ? scoredResult : ids.submitted_result,
    from_template: '0198a000-0000-7000-8000-00000000c001',
    'questions[0].knowledge_base_id': ids.knowledge_base,
  };
  const id = own[field] ?? (await ownRows[field]?.());
  if (id === undefined) throw new Error(`foreign-ids.test.ts needs an own id for ${field}`);
  return id;
}

describe('every field of every operation that contains an id', () => {
  it('gets the same reply for an id that the caller may not see as for an unknown id', async () => {
    expect(new Set(idFields.map(({ name }) => name))).toContain('job-interview-get');
    await eachOf(idFields, async (of) => {
      const { name, field, operation } = of;
      const unknown = await ask(of, randomUUID());
      const isMain = operation.statuses.includes(404) && idFields.find((each) => each.name === name) === of;
      expect(unknown.status).toBe(isMain ? 404 : 422);
      expect(JSON.parse(unknown.text)).toEqual(errorBody(isMain ? 'not_found' : 'unknown_id', field));
      if (!Object.hasOwn(kinds, field)) throw new Error(`foreign-ids.test.ts needs the kind of ${field}`);
      const kind = kinds[field as keyof typeof kinds];
      const [[, ofAnotherKind] = ['', '']] = hidden[kind === 'interview' ? 'result' : 'interview'];
      const [[, foreign] = ['', ofAnotherKind]] = hidden[kind];
      const ids = [
        ...hidden[kind],
        ['of another kind', ofAnotherKind],
        ['in capitals', foreign.toUpperCase()],
      ];
      for (const [what, id = ''] of ids) expect([what, await ask(of, id)]).toEqual([what, unknown]);
    });
  });

  it('gets another reply for an id that the caller may see', async () => {
    for (const of of idFields) {
      const what = `${of.name} ${of.field}`;
      if (of.name === 'job-interview-pdf') {
        // No worker renders PDFs in this test. The test therefore uses a result whose content was erased: for this
        // result, the call fails with a different message than for an unknown id.
        const erased = await putResult(platform.database, { erased_at: new Date() });
        expect((await ask(of, erased)).text).not.toEqual((await ask(of, randomUUID())).text);
        continue;
      }
      const id = await ownId(of);
      const table = storedFirst(of.name);
      if (table === undefined) {
        expect([what, (await ask(of, id)).status]).toEqual([what, 200]);
        continue;
      }
      const before = await count(table);
      const hangUp = new AbortController();
      const outcome = await Promise.race([
        platform
          .call(of.name, { body: inputWith(of, id), signal: hangUp.signal })
          .then(({ status }) => status),
        waitFor(`a row of ${table}`, async () => (await count(table)) > before && 'stored'),
      ]);
      hangUp.abort();
      expect([what, outcome]).toEqual([what, 'stored']);
    }
  });
});
