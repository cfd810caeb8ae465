import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import { recordWaitingChanges } from '../../db/sync/changes';
import { interviewId } from '../../local/seed/fixed-id';

/*
 * The proof that a mirror is complete: writers commit in another order than they begin, a reader is killed at random, and so
 * is a worker that records very many changes. In the end the copy equals what the reading operations return. A twin that
 * follows `updated_at` runs next to it.
 */

type Reply = { status: number; body: Record<string, unknown> };
export type ProofSettings = {
  databaseUrl: string;
  merchantId: string;
  /** Calls an operation of the API as an owner. */
  call: (operation: string, query: Record<string, string>) => Promise<Reply>;
  writers: number;
  /** Whether a writer that has made so many transactions goes on. */
  goesOn: (transactions: number) => boolean;
  maxDelayMs: number;
};
export type Proof = {
  transactions: number;
  kills: number;
  /** The objects of the copy that differ from the database, and how many are compared. */
  compared: number;
  wrong: string[];
  /** The rows that the twin has missed, or knows only as they were. */
  wrongOfTwin: number;
};

const objects = 'interview,candidate,result';
const tables = ['interview', 'enrolment', 'interview_result'] as const;
const scopes = 25;
/** The candidates of one interview, whose new name is more changes than one transaction records. */
const crowd = 2_500;

export async function proveMirror(settings: ProofSettings): Promise<Proof> {
  const pool = new Pool({ connectionString: settings.databaseUrl, max: settings.writers + 3 });
  try {
    await addRows(pool, settings.merchantId);
    const state = { isDone: false, transactions: 0 };
    const copy = createCopy(settings);
    const twin = createTwin(pool);
    const others = [() => copy.read(), () => twin.read(), () => recordAndDie(pool)].map(async (run) => {
      while (!state.isDone) {
        await run();
        await wait(Math.random() * 20);
      }
      await run();
    });
    await Promise.all(
      Array.from({ length: settings.writers }, async () => {
        for (let made = 0; settings.goesOn(made); made++) {
          await writeOnce(pool, settings.maxDelayMs);
          state.transactions++;
        }
      }),
    );
    state.isDone = true;
    await Promise.all(others);
    await copy.finish(() => recordAndDie(pool));
    return {
      transactions: state.transactions,
      kills: copy.kills(),
      ...(await copy.compare()),
      wrongOfTwin: await twin.countWrong(),
    };
  } finally {
    await pool.end();
  }
}

/** Adds interviews, candidates and results. */
async function addRows(pool: Pool, merchantId: string): Promise<void> {
  await pool.query(
    `insert into interview select copy.* from interview i cross join generate_series(1, $2::int) n
     cross join lateral jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'slug', null, 'name', 'Proof ' || n,
       'recruiter_profile_id', null)) copy
     where i.id = $1`,
    [interviewId('active'), scopes],
  );
  await pool.query(
    `with person as (
       insert into profile (merchant_id, role, email, email_key, name)
       select $1, 'candidate', 'proof' || n || '@proof.example', 'proof' || n || '@proof.example', 'Proof'
       from generate_series(1, $3::int) n returning id, email
     ), enrolled as (
       insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key)
       select $1, 'production', $2, id, 'Proof', email, email from person returning id
     )
     insert into interview_result (merchant_id, environment, interview_id, enrolment_id)
     select $1, 'production', $2, id from enrolled`,
    [merchantId, interviewId('active'), scopes],
  );
  await pool.query(
    `with person as (
       insert into profile (merchant_id, role, email, email_key)
       select $1, 'candidate', n || '@crowd.example', n || '@crowd.example' from generate_series(1, $2::int) n
       returning id, email
     )
     insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
     select $1, 'production', i.id, p.id, p.email, p.email from person p, interview i where i.name = 'Proof 1'`,
    [merchantId, crowd],
  );
}

/** Records some of the changes that wait, as the worker does, and is killed before the commit at random. */
async function recordAndDie(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(recordWaitingChanges);
    await client.query(Math.random() < 0.3 ? 'rollback' : 'commit');
  } finally {
    client.release();
  }
}

/** Changes some rows in one transaction, which takes a random time. */
async function writeOnce(pool: Pool, maxDelayMs: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (Math.random() < 0.01)
      await client.query(
        `update interview set name = 'Proof ' || random()
         where id = (select interview_id from enrolment where email = '1@crowd.example') and status <> 'deleted'`,
      );
    const { rows } = await client.query<{ kind: string; id: string }>(
      `select * from (
         (select 'interview' as kind, id from interview where name like 'Proof%' and status <> 'deleted' order by random() limit 1)
         union all
         (select 'candidate', id from enrolment where email like '%@proof.example' order by random() limit 2)
       ) picked order by kind desc, id`,
    );
    for (const { kind, id } of rows.slice(Math.floor(Math.random() * rows.length))) {
      await change(client, kind, id);
      await wait((Math.random() * maxDelayMs) / 2);
    }
    await client.query(Math.random() < 0.1 ? 'rollback' : 'commit');
  } finally {
    client.release();
  }
}

async function change(client: PoolClient, kind: string, id: string): Promise<void> {
  const text = String(Math.random());
  if (kind === 'candidate' && Math.random() < 0.5)
    await client.query('update enrolment set name = $2 where id = $1', [id, text]);
  else if (kind === 'candidate')
    await client.query(
      `with turn as (
         insert into result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view, answer)
         select merchant_id, environment, id, 1, floor(random() * 1000000000), true, 'with listening', $2
         from interview_result where enrolment_id = $1
       )
       update interview_result set user_feedback_recruiter = $2 where enrolment_id = $1`,
      [id, text],
    );
  else if (Math.random() < 0.05)
    await client.query(`update interview set status = 'deleted' where id = $1 and status <> 'deleted'`, [id]);
  else if (Math.random() < 0.1)
    await client.query(
      `insert into interview select copy.* from interview i cross join lateral
         jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'slug', null, 'status', 'draft')) copy
       where i.id = $1`,
      [id],
    );
  else await client.query(`update interview set code = $2 where id = $1 and status <> 'deleted'`, [id, text]);
}

type Entry = { object: string; id: string; body: unknown };

/** The copy of an integrator that is killed at random: before it stores a page, or after half of it. */
function createCopy({ call }: ProofSettings) {
  const stored = new Map<string, string>();
  let cursor: string | undefined;
  let kills = 0;
  const page = async (isSafe: boolean) => {
    const query = { objects, limit: '200', ...(cursor === undefined ? {} : { cursor }) };
    const { status, body } = await call('sync', query);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    const data = body['data'] as Entry[];
    const luck = isSafe ? 1 : Math.random();
    if (luck < 0.4) kills++;
    if (luck < 0.2) return true;
    const seen = luck < 0.4 ? data.slice(0, data.length / 2) : data;
    for (const { object, id, body: shown } of seen) stored.set(`${object} ${id}`, JSON.stringify(shown));
    if (luck < 0.4) return true;
    for (const { object, id } of body['deleted'] as Entry[]) stored.delete(`${object} ${id}`);
    cursor = String(body['cursor']);
    return body['has_more'] === true || Number(body['lag_ms']) > 0;
  };
  const operations: Record<string, [operation: string, parameter: string]> = {
    interview: ['job-interview-get', 'position_id'],
    result: ['job-interview-details', 'interview_result_id'],
  };
  return {
    read: () => page(false),
    kills: () => kills,
    /** Reads all that is left. Transactions of others in the same Postgres can delay it. */
    async finish(record: () => Promise<void>): Promise<void> {
      for (let quiet = 0; quiet < 3; quiet++) {
        await record();
        if (await page(true)) quiet = -1;
      }
    },
    /** Compares the copy with what the reading operations return, byte for byte. */
    async compare(): Promise<Pick<Proof, 'compared' | 'wrong'>> {
      const truth = new Map<string, string>();
      for (const [object, list, key] of [
        ['interview', 'job-interview-list', 'id'],
        ['candidate', 'merchant-candidate-list', 'profile_interview_id'],
        ['result', 'merchant-result-list', 'interview_result_id'],
      ] as const)
        for (let offset = 0; ; offset += 200) {
          const { status, body } = await call(list, { limit: '200', offset: String(offset) });
          // A machine that is busy does not answer in a second.
          if (status === 503) {
            offset -= 200;
            continue;
          }
          if (status !== 200) throw new Error(`${list}: ${status} ${JSON.stringify(body)}`);
          const rows = body['data'] as Record<string, unknown>[];
          for (const row of rows.filter(({ is_multistage }) => is_multistage !== true)) {
            const id = String(row[key]);
            const [operation, parameter] = operations[object] ?? [];
            const shown = operation && parameter ? (await call(operation, { [parameter]: id })).body : row;
            truth.set(`${object} ${id}`, JSON.stringify(shown));
          }
          if (rows.length < 200) break;
        }
      // Visits and tests are results that the list leaves out.
      const all = new Set([
        ...truth.keys(),
        ...[...stored.keys()].filter((key) => !key.startsWith('result ')),
      ]);
      return {
        compared: all.size,
        wrong: [...all].filter((key) => stored.get(key) !== truth.get(key)),
      };
    },
  };
}

/** The copy of an integrator that asks for what has a later `updated_at` than the last row that it got. */
function createTwin(pool: Pool) {
  const stored = new Map<string, string>();
  const since: Record<string, string> = {};
  const rowsOf = async (table: string, after: string) =>
    (
      await pool.query<{ id: string; at: string; row: string }>(
        `select id, updated_at::text as at, to_jsonb(t)::text as row from ${table} t
         where updated_at > $1 order by updated_at`,
        [after],
      )
    ).rows;
  return {
    async read(): Promise<void> {
      for (const table of tables)
        for (const { id, at, row } of await rowsOf(table, since[table] ?? '-infinity')) {
          stored.set(`${table} ${id}`, row);
          since[table] = at;
        }
    },
    async countWrong(): Promise<number> {
      let wrong = 0;
      for (const table of tables)
        for (const { id, row } of await rowsOf(table, '-infinity'))
          if (stored.get(`${table} ${id}`) !== row) wrong++;
      return wrong;
    },
  };
}
