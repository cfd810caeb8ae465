import { renewCreditAccounts, reserveInvitations } from '../../../db/account/credits';
import { readMerchantStatus } from '../../../db/account/merchant-status';
import type { MerchantStatusRow } from '../../../db/account/merchant-status';
import { findInvitedAccount, findAccounts, insertAccounts } from '../../../db/identity/accounts';
import { listCandidates } from '../../../db/people/candidate-list';
import type { CandidateFilter } from '../../../db/people/candidate-list';
import {
  findCandidateProfiles,
  findEnrolments,
  findEnrolmentScopes,
  insertCandidateProfiles,
  renewEnrolments,
} from '../../../db/people/enrolments';
import { countAccountInvitations, lockAndCountInvitations } from '../../../db/people/invitation-limits';
import { listInvitations } from '../../../db/people/invitation-list';
import type { InvitationFilter } from '../../../db/people/invitation-list';
import {
  claimMails,
  countUnsentMails,
  giveUpMails,
  insertMails,
  recordMailEvents,
  recordMailOutcomes,
} from '../../../db/people/mails';
import { planReminders, queueReminders } from '../../../db/people/reminders';
import { deleteOldAccountCounts, mergeAccountCounts } from '../../../db/platform/counts';
import type { Transaction } from '../../../db/platform/database';
import type { Query, Statement } from '../../../db/platform/statement';
import { findLinkedInterview } from '../../../db/taking/linked-interview';
import { expensiveTables, expensiveTablesInside, pagesRead, vacuum } from '../platform/plan-cost';
import { createWorld, insertOf, rowOf, uuid, linkOf } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests the plans of queries on candidates, mails, credits and counts. A merchant has 20,000 candidates with a mail
 * each and the counts of a million candidates in 400 interviews. As many other merchants have an account each.
 */

const size = 20_000;
/** The number of people in one call. For more of them, scanning a whole table of this size would be the right plan. */
const batchSize = 250;
/** The maximum number of pages of a list. */
const few = 600;
const email = (n: number) => `candidate${n}@many.example`;

let world: World;
let cell: Cell;
let other: Cell;
/** The number of mails in one statement of the worker. */
const partSize = 50;
/** The ids of two batches: one of 250 queued mails and one of 50 sent mails. */
const batches = { queued: uuid(), sent: uuid() };
let people: { enrolment_id: string; profile_id: string; mail_id: string }[];

beforeAll(async () => {
  world = await createWorld();
  [cell, , other] = world.cells;
  const { rows } = world.database;
  const { merchantId, environment, taken } = cell;
  // Triggers and foreign keys are off while the rows are inserted, to save time. Other tests check them.
  await rows('set session_replication_role = replica');
  await rows(
    `with other_merchant as (insert into merchant (name) select 'Any' from generate_series(1, $1) returning id),
       account as (insert into credit_account (merchant_id) select id from other_merchant)
     insert into profile (merchant_id, role, email, email_key, name)
     select id, 'merchant', id || '@account.example', id || '@account.example', 'Any' from other_merchant`,
    [size],
  );
  await rows(
    `insert into interview select (jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'slug', null, 'status', s.status))).*
     from interview i, (values ('active'), ('archived')) s (status), generate_series(1, 200) where i.id = $1`,
    [taken.interview],
  );
  await rows(
    `insert into question select (jsonb_populate_record(q, jsonb_build_object('id', uuidv7()))).*
     from question q, generate_series(1, 1000) where q.id = $1`,
    [taken.question],
  );
  await rows(
    `with person as (
       insert into profile (merchant_id, role, email, email_key)
       select $1, 'candidate', 'candidate' || n || '@many.example', 'candidate' || n || '@many.example'
       from generate_series(1, $4) n returning id, email
     )
     insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key, external_id)
     select $1, $2, $3, id, email, email, 'id ' || email from person`,
    [merchantId, environment, taken.interview, size],
  );
  await rows(
    `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, is_test)
     select merchant_id, environment, interview_id, id, false from enrolment
     where merchant_id = $1 and interview_id = $2 and email like 'candidate%'`,
    [merchantId, taken.interview],
  );
  for (const [id, state, count] of [
    [batches.queued, 'queued', batchSize],
    [batches.sent, 'sent', partSize],
  ] as const) {
    await rows(
      `insert into invitation_batch (id, merchant_id, environment, platform_language_code) values ($1, $2, $3, 'en')`,
      [id, merchantId, environment],
    );
    await rows(
      `insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state)
       select merchant_id, environment, $3, 'candidate_invitation', profile_id, id, $4 from enrolment
       where merchant_id = $1 and email like 'candidate%' order by id limit $2`,
      [merchantId, count, id, state],
    );
  }
  await rows(
    `insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state)
     select merchant_id, environment, (array(select uuidv7() from generate_series(1, 100)))[1 + abs(hashtext(id::text)) % 100],
       'candidate_invitation', profile_id, id, 'sent'
     from enrolment where merchant_id = $1`,
    [merchantId],
  );
  await rows(
    `insert into account_count (merchant_id, environment, metric, scope_id, value, folded)
     select $1, $2, metric, id, 2500, true
     from interview, unnest(array['candidates', 'results', 'undecided', 'ongoing']) metric
     where merchant_id = $1 and environment = $2`,
    [merchantId, environment],
  );
  await rows(
    `insert into account_count (merchant_id, environment, metric, quarter, value, folded)
     select m.id, $1, metric, date_bin('15 minutes', now() - n * interval '15 minutes', '2000-01-01Z'), 10, true
     from (select id from merchant where id <> $2 limit 8) m, generate_series(0, 96 * 16) n,
       unnest(array['candidates', 'results']) metric`,
    [environment, other.merchantId],
  );
  await rows('set session_replication_role = origin');
  await vacuum(
    rows,
    'merchant',
    'credit_account',
    'profile',
    'interview',
    'question',
    'interview_question',
    'enrolment',
    'interview_result',
    'invitation_batch',
    'mail',
    'account_count',
  );
  people = await rows(
    `select e.id as enrolment_id, e.profile_id, m.id as mail_id from mail m join enrolment e on e.id = m.enrolment_id
     where m.batch_id = $1`,
    [batches.queued],
  );
});

/** The people of one call. The first half of them are candidates already. */
const named = <T>(make: (n: number) => T): T[] =>
  Array.from({ length: batchSize }, (_, index) => make(size - batchSize / 2 + index));

const ofOne: Record<string, (cell: Cell) => Query> = {
  find_enrolment_scopes: ({ taken }) => findEnrolmentScopes([taken.interview, taken.position]),
  'find_enrolments of one': ({ taken }) =>
    findEnrolments([{ scope_id: taken.interview, email_key: email(7), external_id: `id ${email(8)}` }]),
  'find_enrolments of an unknown interview': () =>
    findEnrolments([{ scope_id: uuid(), email_key: email(7), external_id: `id ${email(8)}` }]),
  'find_candidate_profiles of one': () => findCandidateProfiles([email(7)]),
};
const ofMany: Record<string, (cell: Cell) => Query> = {
  find_enrolments: ({ taken }) =>
    findEnrolments(
      named((n) => ({ scope_id: taken.interview, email_key: email(n), external_id: `id ${email(n - 1)}` })),
    ),
  find_candidate_profiles: () => findCandidateProfiles(named(email)),
  insert_candidate_profiles: () =>
    insertCandidateProfiles(
      named((n) => ({ email: email(n), email_key: email(n), name: null })),
      'en',
    ),
  insert_accounts: () =>
    insertAccounts(
      named((n) => ({ role: 'merchant', email: email(n), email_key: email(n), name: null })),
      'en',
    ),
  update_enrolments: () =>
    renewEnrolments(
      people.map(({ enrolment_id: id, profile_id }, n) => ({
        id,
        profile_id,
        name: null,
        email: `new${n}@many.example`,
        email_key: `new${n}@many.example`,
        external_id: null,
        phone: null,
        is_invited: true,
        link_generation: 2,
      })),
    ),
  insert_mails: ({ taken }) =>
    insertMails(
      taken.batch,
      people.map(({ profile_id, enrolment_id }) => ({
        kind: 'candidate_invitation',
        profile_id,
        enrolment_id,
      })),
    ),
};
const ofWorker: Record<string, () => Statement> = {
  claim_mails: () => claimMails(batches.queued, 50),
  record_mail_outcomes: () =>
    recordMailOutcomes(
      people
        .slice(0, partSize)
        .map(({ mail_id: id }) => ({ id, attempts: 1, state: 'sent', error: null, message_id: null })),
    ),
  'counting unsent mails': () => countUnsentMails(batches.queued),
  'giving up mails': () => giveUpMails(batches.queued),
  plan_reminders: () => planReminders(batches.sent),
  queue_reminder: () => queueReminders(batches.sent, 'reminder'),
  queue_final_reminder: () => queueReminders(batches.sent, 'final_reminder'),
};

const asUser = (each: Cell) => (work: (trx: Transaction) => Promise<never>) =>
  world.api.write(each.user, work);
const writeAsWorker = (work: (trx: Transaction) => Promise<never>) => world.worker.writeAsWorker(work);

describe('the plans', () => {
  it.each(Object.entries(ofOne))('read few rows: %s', async (_, query) => {
    for (const each of [cell, other]) expect(await expensiveTables(asUser(each), query(each))).toEqual([]);
  });

  it.each(Object.entries(ofMany))('read each person once: %s of a call', async (_, query) => {
    expect(await expensiveTables(asUser(cell), query(cell), batchSize)).toEqual([]);
  });

  it.each(Object.entries(ofWorker))('read the mails of the batch: %s', async (_, statement) => {
    expect(await expensiveTables(writeAsWorker, statement(), 1_000)).toEqual([]);
  });

  it('read the mails of the events in record_mail_events', async () => {
    const events = people.slice(0, partSize).map(({ mail_id }) => ({
      mail_id,
      event: 'delivered' as const,
      at: '2026-01-01T00:00:00Z',
      reason: null,
    }));
    const door = (work: (trx: Transaction) => Promise<never>) => world.api.write({ kind: 'mail_hook' }, work);
    expect(await expensiveTables(door, recordMailEvents(events), batchSize)).toEqual([]);
  });

  it('read one row of each table in find_linked_interview, its scope and find_invited_account', async () => {
    const link = linkOf(cell);
    const door = (work: (trx: Transaction) => Promise<never>) => world.api.write(link, work);
    expect(await expensiveTables(door, findLinkedInterview)).toEqual([]);
    expect(await expensiveTablesInside(door, findLinkedInterview)).toEqual([]);
    const signIn = (work: (trx: Transaction) => Promise<never>) => world.api.write({ kind: 'sign_in' }, work);
    expect(await expensiveTables(signIn, findInvitedAccount({ ...cell, generation: 0 }))).toEqual([]);
  });

  it('read each of many people once in find_accounts', async () => {
    expect(await expensiveTablesInside(asUser(cell), findAccounts(named(email)), batchSize)).toEqual([]);
  });

  it('read each of many people and their mails once in lock_invitations', async () => {
    expect(
      await expensiveTablesInside(asUser(cell), lockAndCountInvitations(named(email)), batchSize),
    ).toEqual([]);
    expect(await expensiveTablesInside(asUser(cell), countAccountInvitations)).toEqual([]);
  });

  it('read few rows to reserve, charge, refund and renew', async () => {
    expect(await expensiveTablesInside(asUser(cell), reserveInvitations(5))).toEqual([]);
    const [result] = await world.database.rows<{ id: string }>(
      'select id from interview_result where merchant_id = $1 limit 1',
      [cell.merchantId],
    );
    for (const call of ['app.charge_result($1)', 'app.refund_result($1, 1)'])
      expect(
        await expensiveTablesInside(writeAsWorker, { text: `select ${call}`, values: [result?.id] }),
      ).toEqual([]);
    expect(await expensiveTablesInside(writeAsWorker, renewCreditAccounts)).toEqual([]);
  });

  it('read only the counts that are folded and removed', async () => {
    const { text, values } = insertOf('account_count', rowOf('account_count', cell, cell.taken));
    for (let n = 0; n < 50; n++) await world.database.rows(text, values);
    expect(await expensiveTables(writeAsWorker, mergeAccountCounts(40))).toEqual([]);
    expect(await expensiveTables(writeAsWorker, deleteOldAccountCounts)).toEqual([]);
  });
});

describe('the lists of 20,000 candidates and their mails', () => {
  const page = { limit: 5, offset: 0, counted: 50 };

  it.each<[string, () => Partial<CandidateFilter>]>([
    ['no filter', () => ({})],
    ['a frequent status', () => ({ status: 'registered' })],
    ['a rare status', () => ({ status: 'decided' })],
    ['an interview', () => ({ interview_id: cell.taken.interview })],
    ['an unknown interview', () => ({ interview_id: uuid() })],
    ['a person', () => ({ profile_id: people[0]?.profile_id })],
    ['an entry', () => ({ profile_interview_id: people[0]?.enrolment_id })],
    ['a frequent text', () => ({ filter_text: 'MANY.example' })],
    ['a rare text', () => ({ filter_text: 'date777@' })],
    ['a text that nothing contains', () => ({ filter_text: 'nobody' })],
  ])('read few pages of candidates for %s', async (_, filter) => {
    expect(await pagesRead(asUser(cell), listCandidates({ ...page, ...filter() }))).toBeLessThan(few);
  });

  it.each<[string, () => Partial<InvitationFilter>]>([
    ['no filter', () => ({})],
    ['a frequent status', () => ({ mail_status: 'sent' })],
    ['a rare status', () => ({ mail_status: 'bounced' })],
    ['mails to candidates', () => ({ type: 'candidate' })],
    ['mails to the team', () => ({ type: 'merchant' })],
    ['a person', () => ({ profile_id: people[0]?.profile_id })],
    ['a frequent text', () => ({ filter_text: 'MANY.example' })],
    ['a rare text', () => ({ filter_text: 'date777@' })],
    ['a text that nothing contains', () => ({ filter_text: 'nobody' })],
  ])('read few pages of mails for %s', async (_, filter) => {
    expect(await pagesRead(asUser(cell), listInvitations({ ...page, ...filter() }))).toBeLessThan(few);
  });

  it('count matches up to the cap, and know whether there are more', async () => {
    for (const list of [listCandidates, listInvitations]) {
      const facts = async (more: object) => {
        const [row] = await world.api.read(cell.user, (trx) =>
          trx.rows<{ total: number; has_more: boolean }>(list({ ...page, ...more })),
        );
        return [row?.total, row?.has_more];
      };
      expect(await facts({ filter_text: 'many.example' })).toEqual([50, true]);
      expect(await facts({ filter_text: 'candidate999@' })).toEqual([1, false]);
      expect(await facts({ filter_text: 'candidate999' })).toEqual([11, true]);
      expect(await facts({ filter_text: 'nobody' })).toEqual([0, false]);
    }
  });

  it('count only what row-level security shows', async () => {
    const [profileId, sessionId] = [uuid(), uuid()];
    const { merchantId: merchant_id, environment, taken } = cell;
    for (const { text, values } of [
      insertOf('profile', { ...rowOf('profile', cell, taken, profileId), role: 'merchant_selection' }),
      insertOf('session', { id: sessionId, profile_id: profileId, environment }),
      insertOf('position_member', {
        merchant_id,
        profile_id: profileId,
        environment,
        position_ids: [taken.position],
      }),
    ])
      await world.database.rows(text, values);
    const manager = { ...cell.user, profileId, sessionId, role: 'merchant_selection' } as Cell['user'];
    for (const caller of [...world.cells.map(({ user }) => user), manager])
      for (const filter_text of ['', 'example', 'candidate3', 'nobody']) {
        const all = { limit: 5, offset: 0, counted: 100_000, filter_text };
        const [candidates] = await world.api.read(caller, (trx) => trx.rows(listCandidates(all)));
        const [mails] = await world.api.read(caller, (trx) => trx.rows(listInvitations(all)));
        const [seen] = await world.api.read(caller, (trx) =>
          trx.rows<{ candidates: number; mails: number }>({
            text: `
              select count(*)::int as candidates, (
                select count(*)::int from mail m left join enrolment e on e.id = m.enrolment_id
                where $1 = '' or strpos(e.search_text, $1) > 0
              ) + (
                select count(*)::int from invitation v left join enrolment e on e.id = v.enrolment_id
                where v.channel = 'email' and v.result in ('activated', 'skipped', 'error')
                  and ($1 = '' or strpos(e.search_text, $1) > 0)
              ) as mails
              from enrolment e where strpos(e.search_text, $1) > 0 or $1 = ''`,
            values: [filter_text],
          }),
        );
        expect([filter_text, candidates?.total, mails?.total]).toEqual([
          filter_text,
          seen?.candidates,
          seen?.mails,
        ]);
      }
  });
});

describe('read_merchant_status', () => {
  it('adds up stored counts and reads none of a million candidates and results', async () => {
    const looked = new Set(await expensiveTables(asUser(cell), readMerchantStatus, 10));
    expect([...looked].toSorted()).toEqual(['account_count', 'interview']);
    // The limit of 6,000 rows is enough for five counts of each of 400 interviews and for two reads of all
    // quarter-hours of two weeks.
    expect(await expensiveTables(asUser(cell), readMerchantStatus, 6_000)).toEqual([]);
    // The statement runs as a write, because writes have a longer time limit than reads.
    const [status] = await world.api.write(cell.user, (trx) =>
      trx.rows<MerchantStatusRow>(readMerchantStatus),
    );
    expect(status?.counts.candidates).toBeGreaterThan(500_000);
  });

  it('reads few rows for a small merchant', async () => {
    expect(await expensiveTables(asUser(other), readMerchantStatus, 500)).toEqual([]);
  });
});
