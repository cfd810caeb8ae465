import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { candidateForms } from '../../harness/taking/candidate-forms';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
/**
 * The ids of two interviews with two typed questions each. Only in `reviewed` can candidates review their answers.
 */
let reviewed: string;
let unreviewed: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  const questions = [{ question: 'What did you build?' }, { question: 'What went wrong?' }];
  reviewed = await calls.makeInterview(questions, {
    result_view: 'minimal',
    result_enable_edit_transcript: true,
  });
  unreviewed = await calls.makeInterview(questions, { result_view: 'none' });
});

const post = (token: string, operation: string, body: unknown = {}) => calls.call(operation, { token, body });
const change = (text: string, ...values: unknown[]) => platform.database.rows(text, values);

describe('attempt-finish', () => {
  it('is a 409 before the first answer, and ends the attempt after it, also when it is repeated', async () => {
    const { token, turnId } = await calls.beginAt(reviewed);
    const early = await post(token, 'attempt-finish');
    expect([early.status, early.attempt.state]).toEqual([409, 'running']);
    await calls.answer(token, turnId, { text: 'A bridge.' });
    const finished = await post(token, 'attempt-finish');
    expect([finished.status, finished.attempt]).toMatchObject([
      200,
      { state: 'collected', turn: { kind: 'thank_you' } },
    ]);
    expect((await post(token, 'attempt-finish')).body).toEqual(finished.body);
    expect(
      await change('select interview_status from interview_result where id = $1', finished.attempt.result_id),
    ).toEqual([{ interview_status: 'completed, stopped early' }]);
  });
});

describe('attempt-submit', () => {
  it('is a 409 while the attempt is running, then submits once', async () => {
    const { token, turnId } = await calls.beginAt(reviewed);
    expect(await post(token, 'attempt-submit')).toMatchObject({ status: 409, attempt: { state: 'running' } });
    await calls.answer(token, turnId, { text: 'A bridge.' });
    await post(token, 'attempt-finish');
    const submitted = await Promise.all([post(token, 'attempt-submit'), post(token, 'attempt-submit')]);
    expect(submitted.map(({ status, attempt }) => [status, attempt.state])).toEqual([
      [200, 'submitted'],
      [200, 'submitted'],
    ]);
    const [row] = await change(
      'select status, processing_status from interview_result where id = $1',
      submitted[0]?.attempt.result_id,
    );
    expect(row).toEqual({ status: 'active', processing_status: 'queued' });
  });
});

describe('after the submit', () => {
  it('everything that writes is a 409 with the attempt', async () => {
    const { token } = await calls.register(unreviewed);
    const { attempt } = await calls.begin(token);
    await calls.takeAll(token);
    for (const reply of [
      await calls.begin(token),
      await calls.answer(token, turnOf(attempt).turn_id, { text: 'Something else.' }),
    ])
      expect([reply.status, reply.body['code'], reply.attempt.state]).toEqual([
        409,
        'state_conflict',
        'submitted',
      ]);
    expect((await calls.answer(token, turnOf(attempt).turn_id, { seen: true })).status).toBe(200);
  });

  it('the link ends when the result is reopened, and the new one begins the next attempt', async () => {
    const { token, email } = await calls.register(unreviewed);
    await calls.takeAll(token);
    const { attempt } = await calls.get(token);
    await change(
      `update interview_result set processing_status = 'completed' where id = $1`,
      attempt.result_id,
    );
    const reopened = await platform.call('job-interview-result-request-another-attempt', {
      body: { interview_result_id: attempt.result_id },
    });
    expect(reopened.status).toBe(200);
    for (const reply of [await calls.get(token), await calls.begin(token)])
      expect([reply.status, reply.body['code']]).toEqual([410, 'link_closed']);
    const [row] = await peopleCalls(platform).register([{ email }], { interview_id: unreviewed });
    const next = new URL(row?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    expect((await calls.begin(next)).attempt).toMatchObject({
      result_id: attempt.result_id,
      attempt: 2,
      turn: { kind: 'welcome' },
    });
    expect((await calls.answer(next, turnOf(attempt).turn_id, { seen: true })).status).toBe(404);
  });
});

describe('a link with another attempt left', () => {
  it('offers it on the page when the last one is scored, and begins it', async () => {
    const interview = await calls.makeInterview([{ question: 'What did you build?' }], {
      result_scoring: { max_retries: 2 },
    });
    const link = await calls.register(interview);
    const forms = candidateForms(platform);
    const takeAndSubmit = async () => {
      await calls.takeAll(link.token);
      return (await post(link.token, 'attempt-submit')).attempt;
    };
    const first = await takeAndSubmit();
    expect(first).toMatchObject({ attempt: 1, attempts_left: 1, is_restored: false });
    const waiting = await forms.open(link);
    expect(waiting.html).toContain('Attempts left: 1.');
    expect(waiting.html).not.toContain('name="consent"');
    await change(
      `update interview_result set processing_status = 'completed' where id = $1`,
      first.result_id,
    );
    const open = await forms.open(link);
    expect(open.html).toContain('Attempts left: 1.');
    // The consent refers to the list of what is assessed and kept.
    expect(open.html).toMatch(/<dl>.*name="consent"/s);
    const second = await takeAndSubmit();
    expect(second).toMatchObject({ result_id: first.result_id, attempt: 2, attempts_left: 0 });
    expect((await forms.open(link)).html).not.toContain('Attempts left');
    const earlier = await platform.call('job-interview-details', {
      query: { interview_result_id: first.result_id, attempt: '1' },
    });
    expect(earlier.body).toMatchObject({ attempt: 1, latest_attempt: 2, attempt_count: 2 });
    expect(earlier.body['transcript']).not.toEqual([]);
  });

  it('keeps the submitted one as the result, and a decision about it ends the other one', async () => {
    const interview = await calls.makeInterview([{ question: 'What did you build?' }], {
      result_scoring: { max_retries: 2 },
    });
    const link = await calls.register(interview);
    await calls.takeAll(link.token);
    const { result_id: id } = (await post(link.token, 'attempt-submit')).attempt;
    await change(
      `update interview_result set processing_status = 'completed', score = 7.5 where id = $1`,
      id,
    );
    const again = (await calls.begin(link.token)).attempt;
    expect(again).toMatchObject({ attempt: 2, state: 'running' });
    const details = () => platform.call('job-interview-details', { query: { interview_result_id: id } });
    const shown = { attempt: 1, latest_attempt: 1, attempt_count: 1, result_status: 'active', score: 7.5 };
    expect((await details()).body).toMatchObject(shown);
    const decided = await platform.call('job-interview-result-update', {
      body: { interview_result_id: id, recruiter_go_next_round: false },
    });
    expect(decided.status).toBe(200);
    expect((await calls.answer(link.token, turnOf(again).turn_id, { seen: true })).status).toBe(404);
    const { html } = await candidateForms(platform).open(link);
    expect(html).toContain('The one that you submitted before counts.');
    expect(html).not.toContain('name="consent"');
    expect((await details()).body).toMatchObject({
      ...shown,
      attempt_count: 2,
      recruiter_go_next_round: false,
    });
  });
});

describe('the page of a scored attempt', () => {
  const said = 'We built a bridge. It carries ten trucks.';
  const quote = 'carries ten trucks';
  const start = said.indexOf(quote);
  const met = {
    id: 's1',
    bracket: 'strong',
    text: 'Names a load.',
    met: 'yes',
    quote,
    start,
    end: start + quote.length,
  };
  const rubric = { strong: ['Names a load.'], moderate: [], weak: ['Says little.'] };
  const scored = async (result_view: string, changes: Record<string, unknown> = {}) => {
    const steps = [{ question: 'What did you build?', candidate_expectations_json: rubric }];
    const link = await calls.register(await calls.makeInterview(steps, { result_view, ...changes }));
    await calls.takeAll(link.token);
    const { attempt } = await post(link.token, 'attempt-submit');
    const criteria = [
      met,
      { ...met, id: 'w1', bracket: 'weak', text: 'Says little.', quote: 'built a bridge' },
    ];
    await change(
      `update result_question set answer = $2, score = 4.5, score_answer_ai = 3, ai_analysis = $3,
         answer_assessment_raw_data = $4 where result_id = $1 and is_answer`,
      attempt.result_id,
      said,
      `“${quote}”`,
      { status: 'scored', criteria, needs_review: true, instructs: false },
    );
    const takeaways = {
      what_went_well: ['You named <b>figures</b>.'],
      next_steps: [
        {
          text: 'Name the cost.',
          priority: 'quick',
          guidance: { kind: 'say', text: 'It cost two million.' },
        },
        'not a step',
      ],
    };
    await change(
      `update interview_result set processing_status = 'completed', score = 7.5, ai_analysis_other = $2 where id = $1`,
      attempt.result_id,
      { takeaways },
    );
    const { html } = await candidateForms(platform).open(link);
    return { html, result: (await calls.get(link.token)).attempt.result };
  };

  it('highlights what counted in favor of the answer, and hides the criteria unless the view is full', async () => {
    const { html, result } = await scored('advanced');
    expect(html).toContain(`It <mark>${quote}</mark>.`);
    expect(html).toContain('The highlighted passages counted in your favor.');
    for (const hidden of ['Names a load.', 'Says little.', '<mark>built', '4.5'])
      expect([hidden, html.includes(hidden)]).toEqual([hidden, false]);
    expect(result?.questions?.[0]).not.toHaveProperty('evidence');
    expect(result?.questions?.[0]?.passages).toMatchObject([{ quote, start }]);
  });

  it('shows the criteria, the score that counts and the takeaways with a full view, but no flags', async () => {
    const { html, result } = await scored('full_expand_scores');
    expect(html).toContain('<details open>');
    expect(html).toMatch(/Names a load\..*<q dir="auto">carries ten trucks<\/q>/s);
    expect(html).toContain('Score: 4.5 of 5');
    expect(html).toMatch(
      /What went well.*You named &lt;b>figures.*Next steps.*Name the cost\..*Quick to do/s,
    );
    expect(html).not.toContain('not a step');
    expect(JSON.stringify(result)).not.toContain('needs_review');
  });

  it('shows no answers with the smallest views', async () => {
    expect((await scored('minimal')).html).not.toContain('7.5');
    const { html } = await scored('minimal_with_score');
    expect(html).toContain('<strong>7.5 of 10</strong>');
    for (const hidden of ['<mark>', said, 'Next steps'])
      expect([hidden, html.includes(hidden)]).toEqual([hidden, false]);
  });
});
