import { monthOf } from '../../../api/results/scoring-rates-csv';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { signIn } from '../../harness/identity/accounts';
import { give, makeSide } from '../../harness/identity/position-sides';
import { cloneInterview } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';
import { ours, putResult } from '../../harness/webhooks/webhook-rows';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

/** A period that includes now, even if a month begins while the tests run. */
const recent = { from: monthOf(new Date(), -1), to: monthOf(new Date(), 1) };

type Line = Record<string, string>;
const ask = (query: Record<string, string>, options: CallOptions = {}) =>
  platform.call('merchant-scoring-export', { query, ...options });
const readCsv = (text: string): Line[] => {
  const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
};
const exported = async (query: Record<string, string>, options: CallOptions = {}): Promise<Line[]> => {
  const reply = await ask({ from: '2026-01', to: '2026-03', ...query }, options);
  if (reply.status !== 200) throw new Error(reply.text);
  return readCsv(reply.text);
};

/** A scored result. `computed` is the computed score, and `set` is the score that a person has set instead. */
type Known = {
  month: string;
  computed: number | null;
  set: number | null;
  review: boolean;
  decision: boolean | null;
};

/** Inserts a submitted result with two scoring runs. `more` sets columns of the result. */
async function put(interview: string, known: Known, more: Record<string, unknown> = {}): Promise<string> {
  const at = `${known.month}-15T12:00:00Z`;
  const id = await putResult(
    platform.database,
    {
      status: 'active',
      interview_status: 'completed',
      processing_status: 'completed',
      started_at: at,
      ended_at: at,
      submitted_at: at,
      score: known.set ?? known.computed,
      recruiter_go_next_round: known.decision,
      ...more,
    },
    ours,
    interview,
  );
  const place = [merchants.main.id, 'production', id];
  // The first run has another score and flag, so a line that uses it instead of the latest run is wrong.
  for (const [run, score, review] of [
    [1, 9.9, !known.review],
    [2, known.computed, known.review],
  ])
    await platform.database.rows(
      `insert into score_record (merchant_id, environment, result_id, attempt, run, state, needs_review, scores)
       values ($1, $2, $3, 1, $4, 'scored', $5, $6)`,
      [...place, run, review, JSON.stringify({ score })],
    );
  if (known.set !== null)
    await platform.database.rows(
      `insert into score_decision (merchant_id, environment, result_id, attempt, score, score_ai, reason, decided_by)
       values ($1, $2, $3, 1, $4, $5, 'Heard it.', $3)`,
      [...place, known.set, known.computed],
    );
  return id;
}

const plain = (computed: number | null, more: Partial<Known> = {}): Known => ({
  month: '2026-01',
  computed,
  set: null,
  review: false,
  decision: null,
  ...more,
});

/** Results with many combinations of scores and decisions. Some results have equal scores. */
const many: Known[] = Array.from({ length: 60 }, (_, n) => ({
  month: n % 3 === 0 ? '2026-02' : '2026-01',
  computed: n % 10 === 7 ? null : ((n * 37) % 101) / 10,
  set: n % 8 === 5 ? 9.5 : null,
  review: n % 4 === 1,
  decision: n % 5 === 0 ? null : n % 2 === 0,
}));

/** Computes without SQL the line that the export must contain for these results. */
function lineOf(results: Known[]): Line {
  const scores = results.flatMap(({ computed }) => computed ?? []).toSorted((one, other) => one - other);
  const half = scores.length / 2;
  const median = ((scores[Math.ceil(half) - 1] ?? 0) + (scores[Math.floor(half)] ?? 0)) / 2;
  const count = (is: (known: Known) => boolean) => results.filter(is).length;
  const countScores = (is: (score: number) => boolean) => scores.filter(is).length;
  const above = countScores((score) => score > median);
  const selected = count(({ decision }) => decision === true);
  const share = (part: number, all: number) => String(Number((part / all).toFixed(4)));
  return {
    submitted: String(results.length),
    scored: String(scores.length),
    insufficient_evidence: String(count(({ computed }) => computed === null)),
    not_scored: '0',
    scores_deleted: '0',
    flagged_for_review: String(count(({ review }) => review)),
    overridden: String(count(({ set }) => set !== null)),
    mean_score: String(Number((scores.reduce((all, score) => all + score, 0) / scores.length).toFixed(2))),
    median_score: String(Number(median.toFixed(2))),
    above_median: String(above),
    at_or_above_median: String(countScores((score) => score >= median)),
    scoring_rate: share(above, scores.length),
    weak: String(countScores((score) => score < 4)),
    moderate: String(countScores((score) => score >= 4 && score < 7)),
    strong: String(countScores((score) => score >= 7)),
    selected: String(selected),
    rejected: String(count(({ decision }) => decision === false)),
    undecided: String(count(({ decision }) => decision === null)),
    selection_rate: share(selected, results.length),
  };
}

describe('merchant-scoring-export', () => {
  it('counts computed scores and decisions by month, or of the whole period', async () => {
    const interview = await cloneInterview(platform.database, { name: 'Counted' });
    for (const known of many) await put(interview, known);
    const inMonth = (month: string) => many.filter((known) => known.month === month);
    expect(await exported({ interview_id: interview })).toEqual(
      ['2026-01', '2026-02'].map((month) => ({
        interview_id: interview,
        interview_name: 'Counted',
        interview_type: 'interview',
        position_id: '',
        position_name: '',
        period: month,
        ...lineOf(inMonth(month)),
        notes: expect.stringContaining('Undecided results'),
      })),
    );
    expect(await exported({ interview_id: interview, group_by: 'period' })).toMatchObject([
      { period: '2026-01/2026-03', ...lineOf(many) },
    ]);
    expect(await exported({ interview_id: interview, from: '2026-02' })).toMatchObject([
      { period: '2026-02', ...lineOf(inMonth('2026-02')) },
    ]);
  });

  it('counts results without a score by their reason, and leaves out drafts, tests and coaching', async () => {
    const interview = await cloneInterview(platform.database, { name: 'Reasons' });
    const coaching = await cloneInterview(platform.database, { name: 'Reasons, coaching', type: 'coaching' });
    for (const score of [2, 5, 6, 8, 9]) await put(interview, plain(score, { decision: true }));
    await put(interview, plain(null), { processing_status: 'failed' });
    await put(interview, plain(null), { erased_at: '2026-03-01T00:00:00Z' });
    await put(interview, plain(null), { status: 'draft' });
    await put(interview, plain(3), { is_test: true });
    await put(coaching, plain(3));
    const lines = (await exported({})).filter(({ interview_name: name }) => name?.startsWith('Reasons'));
    expect(lines).toMatchObject([
      {
        interview_name: 'Reasons',
        submitted: '7',
        scored: '5',
        insufficient_evidence: '0',
        not_scored: '1',
        scores_deleted: '1',
        median_score: '6',
        scoring_rate: '0.4',
        selection_rate: '0.7143',
        notes:
          'Results without a score (left out of the scoring rate): 2. Undecided results (not selected in the selection rate): 2.',
      },
    ]);
  });

  it('leaves out numbers about fewer than five results, and statistics of fewer than five scores', async () => {
    const interview = await cloneInterview(platform.database, { name: 'Small' });
    for (let n = 0; n < 4; n++) await put(interview, plain(5, { decision: true }));
    const [few] = await exported({ interview_id: interview });
    const shown = Object.entries(few ?? {}).filter(([, cell]) => cell !== '');
    expect(Object.fromEntries(shown)).toEqual({
      interview_id: interview,
      interview_name: 'Small',
      interview_type: 'interview',
      period: '2026-01',
      submitted: '4',
      notes: 'Fewer than 5 results: numbers left out.',
    });
    await put(interview, plain(null, { decision: true }));
    const [more] = await exported({ interview_id: interview });
    expect(more).toMatchObject({
      scored: '4',
      insufficient_evidence: '1',
      selection_rate: '1',
      mean_score: '',
      median_score: '',
      scoring_rate: '',
      strong: '',
      notes: expect.stringContaining('Fewer than 5 scores: statistics of scores left out.'),
    });
  });

  it('names the position, and shows names that look like formulas as texts', async () => {
    const side = await makeSide(platform, '=cmd|x');
    const [line] = await exported({ interview_id: side.position, ...recent });
    expect(line).toMatchObject({
      interview_id: side.interview,
      interview_name: "'=cmd|x interview",
      position_id: side.position,
      position_name: "'=cmd|x",
      submitted: '1',
    });
  });

  it('shows callers only what they may see', async () => {
    const [mine, theirs] = [await makeSide(platform, 'Mine'), await makeSide(platform, 'Theirs')];
    await give(platform, [mine.position]);
    const { access_token: token } = await signIn(platform, 'merchant_selection');
    const names = (await exported(recent, { token })).map((line) => line['position_name']);
    expect(names).toEqual(['Mine']);
    await give(platform, null);
    const foreign = await ask(
      { from: '2026-01', to: '2026-03', interview_id: theirs.interview },
      { token: platform.stack.tokens.other_merchant_owner },
    );
    expect([foreign.status, foreign.body]).toMatchObject([422, { code: 'unknown_id', name: 'interview_id' }]);
    const all = await exported(recent, { token: platform.stack.tokens.other_merchant_owner });
    expect(all.filter((line) => line['interview_id'] !== interviewId('other'))).toEqual([]);
  });
});
