import { createHash, randomBytes } from 'node:crypto';
import { reserveInvitations } from '../../../db/account/credits';
import type { CreditBucket } from '../../../db/account/credits';
import { openDatabase } from '../../../db/platform/database';
import type { Requester } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import type { Environment } from '../../../db/platform/vocabulary';
import { roles } from '../../../db/platform/vocabulary';
import { platformTemplateIds } from '../../../local/seed/templates';
import { atEnd } from '../../harness/at-end';
import { createDatabase } from '../../harness/platform/database';
import { meetAtRow } from '../../harness/platform/row-lock';
import { uuid } from '../platform/world';

/** The number of credits in each bucket of a merchant's account. */
export type Balances = { monthly: number; single: number; extra: number };
export const buckets = ['monthly', 'single', 'extra'] as const;

export type Account = Balances & {
  period_started_at: Date;
  period_ends_at: Date;
  invitations_sent: number;
};

/**
 * The facts of an attempt that determine its price. By default, the attempt is completed and submitted after 10
 * minutes.
 */
export type Attempt = {
  template?: keyof typeof platformTemplateIds;
  recording?: string | null;
  recording_full_session?: string | null;
  max_duration?: number;
  is_test?: boolean;
  status?: 'draft' | 'active';
  interview_status?: string | null;
  duration?: number | null;
  type?: string;
  environment?: Environment;
  /** The id of the interview, which is created at its first attempt. By default, each attempt has an interview of its own. */
  interview?: string;
  /** Null for an attempt of nobody. By default, it is the position that each merchant has. */
  position?: string | null;
};

/** The number of connections that each login opens. */
const connections = 20;

export type CreditBook = Awaited<ReturnType<typeof openCreditBook>>;

/**
 * Creates a database with accounts, and returns the credit functions, which run with the same database roles as the
 * API and the worker.
 */
export async function openCreditBook() {
  const database = await createDatabase();
  /** Opens all connections in advance, so that concurrent calls wait for each other and not for a connection. */
  const open = async (url: string) => {
    const pool = openPool({ url, size: connections, applicationName: 'test', onIdleError: () => undefined });
    Object.assign(pool.options, { connectionTimeoutMillis: 0, idleTimeoutMillis: 0 });
    await Promise.all(Array.from({ length: connections }, () => pool.query('select')));
    atEnd(() => pool.end());
    return openDatabase(pool);
  };
  const worker = await open(database.workerUrl);
  const api = await open(database.apiUrl);
  const { rows } = database;
  const one = async <Row>(text: string, values: unknown[]): Promise<Row> => {
    const [row] = await rows<Row>(text, values);
    if (!row) throw new Error(`no row: ${text}`);
    return row;
  };
  const writeAsWorker = async <Value>(call: string, values: unknown[]): Promise<Value | undefined> => {
    const [row] = await worker.writeAsWorker((trx) =>
      trx.rows<{ value: Value }>({ text: `select ${call} as value`, values }),
    );
    return row?.value;
  };

  const chargeOf = async (id: string) =>
    (
      await rows<{ charge: string | null }>(
        `select case when u.result_id is null then r.charge else 'unpaid' end as charge from interview_result r
         left join unpaid_attempt u on u.result_id = r.id and u.attempt = r.attempt where r.id = $1`,
        [id],
      )
    )[0]?.charge ?? null;
  /** Single credits are by default for the position that each merchant has, whose id is that of the merchant. */
  const grant = (merchantId: string, bucket: CreditBucket, amount: number, positionId = merchantId) =>
    rows(`select app.post_credits($1, $2, 'grant', $3, null, null, $4)`, [
      merchantId,
      bucket,
      amount,
      bucket === 'single' ? positionId : null,
    ]);
  const insertPosition = (merchantId: string, id: string) =>
    rows(
      `insert into position (id, merchant_id, environment, name, status, visibility, interview_location)
       values ($1, $2, 'production', 'Any', 'active', 'merchant_invite', 'Anywhere')`,
      [id, merchantId],
    );

  return {
    database,

    /** Creates a merchant and grants its account these balances. `more` sets columns of the account. */
    openAccount: async (
      balances: Partial<Balances> = {},
      more: Record<string, unknown> = {},
    ): Promise<string> => {
      const { id } = await one<{ id: string }>(`insert into merchant (name) values ('Any') returning id`, []);
      for (const [column, value] of Object.entries(more))
        await rows(`update credit_account set ${column} = $2 where merchant_id = $1`, [id, value]);
      await insertPosition(id, id);
      for (const bucket of buckets) await grant(id, bucket, balances[bucket] ?? 0);
      return id;
    },
    grant,
    insertPosition,
    setSubscription: (merchantId: string, status: string) =>
      rows('update credit_account set subscription_status = $2 where merchant_id = $1', [merchantId, status]),

    account: (merchantId: string) =>
      one<Account>(
        `select monthly::float8, single::float8, extra::float8, period_started_at, period_ends_at, invitations_sent
         from credit_account where merchant_id = $1`,
        [merchantId],
      ),

    /** Returns the sums of the ledger by bucket. If `kind` is given, sums only the entries of this kind. */
    ledger: async (merchantId: string, kind?: string): Promise<Balances> =>
      one<Balances>(
        `select ${buckets.map((bucket) => `coalesce(sum(amount) filter (where bucket = '${bucket}'), 0)::float8 as ${bucket}`).join(', ')}
         from credit_entry where merchant_id = $1 and kind = coalesce($2, kind)`,
        [merchantId, kind],
      ),
    /** Returns the balances that are not 0, in hundredths, and the results that wait for credits, oldest first. */
    stateOf: (merchantId: string) =>
      one<{ balances: Record<string, number>; unpaid: string[] }>(
        `select coalesce((
             select jsonb_object_agg(b.name, (100 * b.balance)::int) from (
               values ('monthly', a.monthly), ('extra', a.extra), ('coaching', a.coaching)
               union all select position_id::text, balance from single_credit where merchant_id = a.merchant_id
             ) b (name, balance) where b.balance > 0
           ), '{}') as balances,
           array(
             select result_id::text from unpaid_attempt where merchant_id = a.merchant_id order by due_at
           ) as unpaid
         from credit_account a where a.merchant_id = $1`,
        [merchantId],
      ),
    countEntries: async (merchantId: string, kind: string): Promise<number> =>
      (await rows('select from credit_entry where merchant_id = $1 and kind = $2', [merchantId, kind]))
        .length,

    /** Creates an attempt and returns the id of its result. */
    insertResult: async (merchantId: string, attempt: Attempt = {}): Promise<string> => {
      const { environment = 'production', position = merchantId } = attempt;
      const interviewId = attempt.interview ?? uuid();
      await rows(
        `insert into interview (id, merchant_id, environment, name, status, visibility, type, interview_location,
           interview_template_id, platform_language_code, result_view, candidate_video_introduction, required_pronunciation,
           result_enable_edit_transcript, creation_parameters, built_at, recording, recording_full_session, max_duration)
         values ($1, $2, $3, 'Any', 'active', 'merchant_public', $4, 'Anywhere', $5, 'en', 'minimal', 'hidden',
           false, true, '{}', now(), $6, $7, $8) on conflict (id) do nothing`,
        [
          interviewId,
          merchantId,
          environment,
          attempt.type ?? 'interview',
          platformTemplateIds[attempt.template ?? 'interactive_voice'],
          attempt.recording ?? null,
          attempt.recording_full_session ?? null,
          attempt.max_duration ?? 1_200,
        ],
      );
      const { id } = await one<{ id: string }>(
        `with person as (
           insert into profile (merchant_id, role, email, email_key)
           select $1, 'candidate', $3 || '@example.com', $3 || '@example.com' where $2::uuid is not null returning id, email
         ), enrolled as (
           insert into enrolment (merchant_id, environment, interview_id, position_id, profile_id, email, email_key)
           select $1, $4, $5, $2, id, email, email from person returning id
         )
         insert into interview_result
           (merchant_id, environment, interview_id, enrolment_id, is_test, status, interview_status, duration)
         values ($1, $4, $5, (select id from enrolled), $6, $7, $8, $9) returning id`,
        [
          merchantId,
          position,
          uuid(),
          environment,
          interviewId,
          attempt.is_test ?? false,
          attempt.status ?? 'active',
          attempt.interview_status === undefined ? 'completed' : attempt.interview_status,
          attempt.duration === undefined ? 6_000 : attempt.duration,
        ],
      );
      return id;
    },
    changeResult: (id: string, column: string, value: unknown) =>
      rows(`update interview_result set ${column} = $2 where id = $1`, [id, value]),
    /** Returns whether an attempt was `charged`, is `free` or waits for credits (`unpaid`). */
    chargeOf,

    charge: async (resultId: string): Promise<string | null> => {
      await writeAsWorker('app.charge_result($1)', [resultId]);
      return chargeOf(resultId);
    },
    refund: (resultId: string, attempt = 1) =>
      writeAsWorker<boolean>('app.refund_result($1, $2)', [resultId, attempt]),
    renew: () => writeAsWorker<number>('app.renew_credit_accounts($1)', [500]),

    /** Creates a service key of the merchant, or one of the platform that acts for the merchant. */
    openKey: async (
      merchantId: string,
      environment: Environment = 'production',
      isPlatform = false,
    ): Promise<Requester> => {
      const hash = createHash('sha256').update(randomBytes(32)).digest();
      await rows('insert into service_key (id, merchant_id, environment, hash) values ($1, $2, $3, $4)', [
        uuid(),
        isPlatform ? null : merchantId,
        environment,
        hash,
      ]);
      const keyHash = hash.toString('hex');
      return {
        kind: 'service_key',
        keyHash,
        environment,
        askedMerchantId: merchantId,
        roles,
        needsMerchant: true,
      };
    },
    /**
     * Reserves invitations and returns how many were granted. If `thrown` is given, throws it, so that the
     * transaction is rolled back.
     */
    reserve: async (key: Requester, wanted: number, thrown?: Error): Promise<number | undefined> => {
      const [row] = await api.write(key, async (trx) => {
        const granted = await trx.rows<{ granted: number }>(reserveInvitations(wanted));
        if (thrown) throw thrown;
        return granted;
      });
      return row?.granted;
    },
    api,
    worker,

    /**
     * Runs the calls so that all of them wait for the row of the account at the same time. Each waiting call needs a
     * connection.
     */
    meet: <T>(merchantId: string, calls: (() => Promise<T>)[]): Promise<T[]> =>
      meetAtRow(
        database,
        'credit_account',
        { key: 'merchant_id', id: merchantId },
        calls,
        Math.min(calls.length, connections),
      ),

    /** Moves all dates of the account this many months into the past. */
    passMonths: async (merchantId: string, months: number): Promise<void> => {
      const earlier = (column: string) =>
        `${column} = (${column} at time zone 'UTC' - make_interval(months => $2)) at time zone 'UTC'`;
      const columns = ['period_anchor', 'period_started_at', 'period_ends_at'];
      await rows(`update credit_account set ${columns.map(earlier).join(', ')} where merchant_id = $1`, [
        merchantId,
        months,
      ]);
      await rows(`update credit_entry set ${earlier('period_started_at')} where merchant_id = $1`, [
        merchantId,
        months,
      ]);
    },
  };
}
