import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import {
  cloneInterview,
  cloneWithSteps,
  enrolmentsOf,
  makePosition,
  peopleCalls,
} from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
let databases: ReturnType<typeof openDatabases>;
/** The id of an interview that has one result of each kind. The candidate of a result is named after its kind. */
let interview: string;
let ids: Record<string, string>;

type Listed = Record<string, unknown> & {
  interview_result_id: string;
  status: string;
  score: number | null;
  created_at: string;
  updated_at: string;
  candidate: { name: string; email: string; external_id: string } | null;
};
type List = {
  data: Listed[];
  pagination: { total: number; limit: number; offset: number; has_more: boolean };
};

const ask = (query: Record<string, string> = {}, options: CallOptions = {}) =>
  platform.call('merchant-result-list', { query, ...options });
const list = async (query: Record<string, string> = {}): Promise<List> => {
  const reply = await ask(query);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as unknown as List;
};
const names = async (query: Record<string, string>) =>
  (await list({ interview_id: interview, ...query })).data.map(({ candidate }) => candidate?.name ?? '');

const kinds = ['started', 'collected', 'submitted', 'scored', 'selected', 'rejected', 'shortlisted', 'test'];

beforeAll(async () => {
  platform = await openOperations();
  databases = openDatabases(platform.database);
  interview = await cloneWithSteps(platform.database, { name: 'Listed' });
  await peopleCalls(platform).register(
    kinds.map((kind) => ({ email: `${kind}@listed.example`, name: kind, external_id: `crm_${kind}` })),
    { interview_id: interview },
  );
  const enrolments = await enrolmentsOf(platform.database, interview);
  ids = {};
  for (const [place, kind] of kinds.entries()) {
    const enrolment = enrolments.find(({ name }) => name === kind)?.id ?? '';
    const until = kind === 'started' || kind === 'collected' || kind === 'submitted' ? kind : 'scored';
    const { result_id } = await takeInterview(databases, {
      enrolment,
      until,
      is_test: kind === 'test',
      // Results 0 and 1 have the same score, and so do results 2 and 3, and so on.
      scores: { score: Math.floor(place / 2) },
    });
    ids[kind] = result_id;
  }
  const update = async (kind: string, fields: Record<string, unknown>) => {
    const reply = await platform.call('job-interview-result-update', {
      body: { interview_result_id: ids[kind], ...fields },
    });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  await update('shortlisted', { recruiter_shortlist: true });
  await update('rejected', { recruiter_go_next_round: false });
  await update('selected', { recruiter_go_next_round: true });
});
afterAll(async () => {
  await databases.close();
});

describe('merchant-result-list', () => {
  it('returns the interview, the candidate and the state of each result', async () => {
    await platform.database.rows(
      `insert into score_record (merchant_id, environment, result_id, attempt, run, state, ended_at)
       select merchant_id, environment, id, attempt, v.*
       from interview_result, (values (101, 'scored', '2026-02-01Z'::timestamptz), (102, 'scored', '2026-02-02Z'),
         (103, 'failed', '2026-02-03Z'), (104, 'queued', null)) v (run, state, ended_at)
       where id = $1`,
      [ids['selected']],
    );
    const { data } = await list({ interview_id: interview, filter_text: 'selected' });
    expect(data).toEqual([
      {
        interview_result_id: ids['selected'],
        interview_id: interview,
        interview_name: 'Listed',
        position_id: null,
        type: 'interview',
        status: 'active',
        interview_status: 'completed',
        processing_status: 'completed',
        attempt: 1,
        is_test: false,
        is_successful: true,
        candidate: {
          profile_interview_id: expect.any(String),
          profile_id: expect.any(String),
          name: 'selected',
          email: 'selected@listed.example',
          external_id: 'crm_selected',
          phone: null,
        },
        score: 2,
        max_score: 10,
        ai_analysis_recruiter_score: 7.8,
        recruiter_go_next_round: true,
        recruiter_shortlist: false,
        submitted_at: expect.stringMatching(/Z$/),
        scored_at: '2026-02-02T00:00:00.000Z',
        decided_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/\.\d{3}Z$/),
        updated_at: expect.stringMatching(/\.\d{3}Z$/),
        revision: expect.any(Number),
      },
    ]);
  });

  it('returns only the results of a tab', async () => {
    for (const [tab, expected] of [
      ['completed', ['submitted', 'scored', 'selected', 'rejected', 'shortlisted', 'test']],
      ['incomplete', ['started', 'collected']],
      ['undecided', ['scored', 'shortlisted', 'test']],
      ['shortlist', ['shortlisted']],
      ['selected', ['selected']],
      ['rejected', ['rejected']],
    ] as const) {
      const { data, pagination } = await list({ interview_id: interview, tab });
      const found = data.map(({ candidate }) => candidate?.name ?? '').toSorted();
      expect([tab, found, pagination.total]).toEqual([tab, expected.toSorted(), expected.length]);
    }
  });

  it('returns results in the order that was asked for, by default newest first', async () => {
    expect(await names({})).toEqual(kinds.toReversed());
    for (const [order_by, expected] of [
      ['created_at_oldest', kinds],
      // These three results were changed last. `selected` was changed after the other two.
      ['updated_at_newest', ['selected', 'rejected', 'shortlisted']],
      // Results with equal scores are ordered newest first. Results without a score come last.
      [
        'score',
        ['test', 'shortlisted', 'rejected', 'selected', 'scored', 'submitted', 'collected', 'started'],
      ],
    ] as const)
      expect([order_by, (await names({ order_by })).slice(0, expected.length)]).toEqual([order_by, expected]);
  }); // prettier-ignore

  it('finds filter_text in name, email address and external_id, without patterns', async () => {
    const searches: [string, string[]][] = [
      ['SCORED', ['scored']],
      ['listed.example', kinds],
      ['crm_s', ['started', 'submitted', 'scored', 'selected', 'shortlisted']],
      ['crm%s', []],
      ['_', kinds],
      ['\\', []],
      ["'", []],
      ['', kinds],
    ];
    for (const [filter_text, expected] of searches)
      expect([filter_text, (await names({ filter_text })).toSorted()]).toEqual([
        filter_text,
        expected.toSorted(),
      ]);
    const { data } = await list({ filter_text: 'JOVANOVIĆ', limit: '1' });
    expect(data[0]?.candidate?.name).toContain('Jovanović');
  });

  it('returns every result once page by page in one order, with has_more until the last page', async () => {
    const whole = await list({ order_by: 'score', limit: '1000' });
    const pages: string[] = [];
    for (let offset = 0; ; offset += 50) {
      const { data, pagination } = await list({ order_by: 'score', offset: String(offset) });
      pages.push(...data.map((row) => row.interview_result_id));
      expect(pagination).toMatchObject({
        total: whole.pagination.total,
        limit: 50,
        offset,
        has_more: pages.length < whole.pagination.total,
      });
      if (!pagination.has_more) break;
    }
    expect(pages).toEqual(whole.data.map((row) => row.interview_result_id));
    expect(new Set(pages).size).toBe(pages.length);
    expect(await list({ offset: '9999' })).toEqual({
      data: [],
      pagination: {
        total: whole.pagination.total,
        limit: 50,
        offset: 9_999,
        has_more: false,
        next_cursor: null,
      },
    });
  });

  it('returns only results of the type', async () => {
    const coaching = await cloneInterview(platform.database, { type: 'coaching' });
    await platform.database.rows(
      `insert into interview_result (merchant_id, environment, interview_id)
       select merchant_id, environment, id from interview where id = $1`,
      [coaching],
    );
    const { data } = await list({ type: 'coaching' });
    expect(data[0]).toMatchObject({ interview_id: coaching, type: 'coaching', candidate: null });
    const [{ results } = {}] = await platform.database.rows<{ results: number }>(
      `select count(*)::int as results from interview_result r join interview i on i.id = r.interview_id
       where i.type = 'coaching'`,
    );
    expect([data.length, new Set(data.map(({ type }) => type))]).toEqual([results, new Set(['coaching'])]);
    expect((await list({ type: 'coaching', filter_text: '' })).data).toEqual(data);
    expect((await list({ type: 'public_avatar' })).data).toEqual([]);
  });

  it('returns for a position the results of its candidates, and not those of its steps alone', async () => {
    const step = await cloneWithSteps(platform.database);
    const position = await makePosition(platform.database, [step]);
    const calls = peopleCalls(platform);
    await calls.register([{ email: 'of-position@listed.example' }], { interview_id: position });
    await calls.register([{ email: 'of-step@listed.example' }], { interview_id: step });
    for (const scope of [position, step])
      for (const { id } of await enrolmentsOf(platform.database, scope))
        await takeInterview(databases, { enrolment: id, until: 'started' });
    const emails = async (interview_id: string) =>
      (await list({ interview_id })).data.map(({ candidate }) => candidate?.email ?? '').toSorted();
    expect(await emails(position)).toEqual(['of-position@listed.example']);
    expect(await emails(step)).toEqual(['of-position@listed.example', 'of-step@listed.example']);
    expect((await list({ interview_id: position })).data[0]).toMatchObject({ position_id: position, interview_id: step });
  }); // prettier-ignore
});
