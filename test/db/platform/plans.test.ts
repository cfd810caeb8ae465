import { findEmbedKey, revokeEmbedKey } from '../../../db/interviews/embed-keys';
import {
  checkReferences,
  deleteAbandonedInterviews,
  findBuiltInterview,
  findUnbuiltInterview,
  saveDraft,
} from '../../../db/interviews/interview-building';
import type { InterviewDraft } from '../../../db/interviews/interview-building';
import { findDefinition } from '../../../db/interviews/interviews';
import { findKnowledgeBase, listKnowledgeBases } from '../../../db/interviews/knowledge-bases';
import {
  lockInterview,
  lockPosition,
  updateInterviewOrPosition,
} from '../../../db/interviews/locked-definition';
import { listQuestionsById, listSteps, removeAllSteps } from '../../../db/interviews/steps';
import { listAuditEntriesAbout } from '../../../db/platform/audit';
import type { Transaction } from '../../../db/platform/database';
import {
  claimIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  keepIdempotentReply,
} from '../../../db/platform/idempotency';
import type { Query, Statement } from '../../../db/platform/statement';
import {
  claimWorkflowStarts,
  deleteWorkflowStarts,
  postponeWorkflowStarts,
} from '../../../db/platform/workflow-starts';
import { expensiveTables } from './plan-cost';
import { createWorld, uuid } from './world';
import type { Cell, World } from './world';

/*
 * Tests the plans of the most frequent queries on tables that are large enough for a wrong plan to be chosen: 5,000
 * interviews of one merchant, and as many keys, links, workflow starts and other merchants.
 */

const size = 5_000;
let world: World;
let cell: Cell;
let other: Cell;

beforeAll(async () => {
  world = await createWorld();
  [cell, , other] = world.cells;
  const { rows } = world.database;
  // Triggers and foreign keys are off while the rows are inserted, because they would take most of the time. The rows
  // are copies of valid rows.
  await rows('set statement_timeout = 0; set session_replication_role = replica');
  const { merchantId, environment, profileId, taken } = cell;
  /**
   * Inserts 5,000 copies of a row. `anew` has the SQL of the new value for each column whose value is not copied.
   */
  const multiply = async (table: string, key: string, id: string, anew: Record<string, string>) => {
    const columns = await rows<{ name: string }>(
      `select attname::text as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const names = columns.map(({ name }) => name);
    await rows(
      `insert into ${table} (${names.join(', ')})
       select ${names.map((name) => anew[name] ?? `t.${name}`).join(', ')}
       from ${table} t, generate_series(1, ${size}) n where t.${key} = $1`,
      [id],
    );
  };
  await multiply('interview', 'id', taken.interview, { id: 'uuidv7()' });
  await multiply('position', 'id', taken.position, { id: 'uuidv7()' });
  await multiply('question', 'id', taken.question, { id: 'uuidv7()' });
  await multiply('workflow_start', 'merchant_id', merchantId, {
    id: 'uuidv7()',
    next_attempt_at: `now() + n * interval '1 minute'`,
  });
  await multiply('idempotency_key', 'caller_id', profileId, { id: 'uuidv7()', key: `'key ' || n` });
  await rows(
    `with other_merchant as (insert into merchant (name) select 'Any' from generate_series(1, ${size}) returning id),
      person as (
        insert into profile (merchant_id, role, email, email_key, name)
        select id, 'merchant', id || '@any.example', id || '@any.example', 'Any' from other_merchant
      )
     insert into knowledge_base (merchant_id, name, text) select id, 'Any', 'Any' from other_merchant`,
  );
  // Without statistics, the inserts below would get slow plans.
  await rows('analyze');
  const owned = 'merchant_id = $1 and environment = $2';
  await rows(
    `insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
     select $1, $2, i.id, q.id, 1 from (select id, row_number() over () n from interview where ${owned} and id <> $3) i
     join (select id, row_number() over () n from question where merchant_id = $1) q using (n)`,
    [merchantId, environment, taken.interview],
  );
  await rows(
    `insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
     select $1, $2, p.id, i.id, 1 from (select id, row_number() over () n from position where ${owned} and id <> $3) p
     join (select id, row_number() over () n from interview where ${owned} and built_at is not null) i using (n)`,
    [merchantId, environment, taken.position],
  );
  await rows(
    `insert into embed_key (merchant_id, environment, interview_id, signing_key_sealed)
     select $1, $2, id, '\\x00' from interview where ${owned} on conflict do nothing`,
    [merchantId, environment],
  );
  await rows(
    `insert into audit_entry (merchant_id, environment, actor_id, actor_role, act, subject_id)
     select $1, $2, $3, 'merchant', 'any', uuidv7() from generate_series(1, ${size})`,
    [merchantId, environment, profileId],
  );
  await rows('set session_replication_role = origin; analyze');
});

const id = uuid();
const hot: Record<string, (cell: Cell) => Query> = {
  'find_definition of an interview': ({ taken }) => findDefinition(taken.interview),
  'find_definition of a position': ({ taken }) => findDefinition(taken.position),
  'find_definition of an unknown id': () => findDefinition(id),
  find_built_interview: ({ taken }) => findBuiltInterview(taken.interview),
  lock_interview: ({ taken }) => lockInterview(taken.interview),
  lock_position: ({ taken }) => lockPosition(taken.position),
  'update of an interview': ({ taken }) =>
    updateInterviewOrPosition('interview', taken.interview, { name: 'Other' }),
  'update of a position': ({ taken }) =>
    updateInterviewOrPosition('position', taken.position, { name: 'Other' }),
  list_steps: ({ taken }) => listSteps(taken.interview),
  'unlinking steps': ({ taken }) => removeAllSteps(taken.interview),
  'questions by id': ({ taken, free }) => listQuestionsById([taken.question, free.question]),
  'finding a knowledge base': () => findKnowledgeBase(id, 100),
  'listing knowledge bases': () => listKnowledgeBases({ limit: 50, offset: 0 }),
  check_references: () => checkReferences(id, id, id),
  'finding the embed key': ({ taken }) => findEmbedKey(taken.interview),
  'revoking the embed key': ({ taken }) => revokeEmbedKey(taken.interview),
  claim_idempotency_key: () => claimIdempotencyKey('key 1', 'any', Buffer.alloc(8)),
  keep_idempotent_reply: () => keepIdempotentReply(id, Buffer.alloc(8)),
};
const hotOfWorker: Record<string, Statement> = {
  'finding the unbuilt interview': findUnbuiltInterview(id, { lock: true }),
  'saving the draft': saveDraft(id, {} as InterviewDraft),
  'removal of unbuilt interviews': deleteAbandonedInterviews,
  'removal of idempotency keys': deleteExpiredIdempotencyKeys,
  claim_workflow_starts: claimWorkflowStarts(100),
  'deleting workflow starts': deleteWorkflowStarts([id]),
  'postponing workflow starts': postponeWorkflowStarts([id]),
};

describe('the plans', () => {
  it('show a scan of the whole table as expensive, also if the scan uses an index', async () => {
    const scan: Statement = { text: `select id from interview where name = 'Nobody has it'` };
    const door = (work: (trx: Transaction) => Promise<never>) => world.api.read(cell.user, work);
    expect(await expensiveTables(door, scan)).toEqual(['interview']);
  });

  describe.each(['user', 'service'] as const)('as %s', (who) => {
    it.each(Object.keys(hot))('read few rows: %s', async (name) => {
      for (const each of [cell, other]) {
        const statement = hot[name]?.(each);
        if (!statement) throw new Error(name);
        expect(await expensiveTables((work) => world.api.write(each[who], work), statement)).toEqual([]);
      }
    });
  });

  it('read few rows as user: list_acts_on', async () => {
    const asUser = (work: (trx: Transaction) => Promise<never>) => world.api.read(cell.user, work);
    expect(await expensiveTables(asUser, listAuditEntriesAbout(id))).toEqual([]);
  });

  it.each(Object.entries(hotOfWorker))('read few rows as worker: %s', async (_, statement) => {
    expect(await expensiveTables((work) => world.worker.writeAsWorker(work), statement)).toEqual([]);
  });
});

describe('find_definition', () => {
  it('finds the definition of the caller with its steps', async () => {
    const found = await world.api.query(cell.user, findDefinition(cell.taken.interview));
    expect(found).toMatchObject([
      { is_multistage: false, merchant_id: cell.merchantId, questions: [{ id: cell.taken.question }] },
    ]);
    expect(await world.api.query(cell.user, findDefinition(cell.taken.position))).toMatchObject([
      { is_multistage: true, merchant_id: cell.merchantId, questions: null },
    ]);
  });

  it('does not find one of another merchant or environment, or an unbuilt one', async () => {
    const [, sibling] = world.cells;
    const [unbuilt] = await world.database.rows<{ id: string }>(
      'select id from interview where merchant_id = $1 and built_at is null limit 1',
      [cell.merchantId],
    );
    const strange = [other, sibling].flatMap(({ taken }) => [taken.interview, taken.position]);
    for (const each of [...strange, unbuilt?.id ?? ''])
      expect(await world.api.query(cell.user, findDefinition(each))).toEqual([]);
    expect(unbuilt).toBeDefined();
  });
});
