import { randomUUID } from 'node:crypto';
import { people } from '../../../local/seed/accounts';
import { recordedResultId } from '../../../local/seed/recordings';
import { resultId } from '../../../local/seed/results';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  owner = await openConsole(platform, 'merchant_owner');
});

const script = '<script>alert(1)</script>';
const shownScript = '&lt;script>alert(1)&lt;/script>';
const rows = (text: string, values: unknown[] = []) => platform.database.rows(text, values);
const resultRow = async (id: string) => (await rows('select * from interview_result where id = $1', [id]))[0];
const submitted = async (more = 'true') =>
  String(
    (
      await rows(
        `select id from interview_result where merchant_id = $1 and environment = 'production' and status = 'active'
           and processing_status = 'completed' and id <> $2 and ${more} order by id limit 1`,
        [platform.stack.merchant_id, recordedResultId],
      )
    )[0]?.['id'],
  );
const candidateOf = async (id: string) =>
  (
    await rows(
      `select e.name, e.email, e.id from enrolment e join interview_result r on r.enrolment_id = e.id where r.id = $1`,
      [id],
    )
  )[0];

describe('the list of results', () => {
  it('can be filtered by tab, interview and candidate, ordered and paged', async () => {
    const all = await owner.get('/console/results');
    expect(all.status).toBe(200);
    expect(all.html).toMatch(/1–50 of \d+/);
    const next = /rel="next" href="([^"]+)"/.exec(all.html)?.[1] ?? '';
    expect((await owner.get(next.replaceAll('&amp;', '&'))).html).toContain('51–');

    const rejected = await owner.get('/console/results?tab=rejected&order_by=score');
    expect(rejected.html).toContain('>Rejected<');
    expect(rejected.html).not.toContain('class="badge good">Advanced<');
    expect(rejected.html).toMatch(/tab=rejected[^"]*"\s+aria-current/);

    const id = await submitted();
    const candidate = await candidateOf(id);
    const found = await owner.get(
      `/console/results?filter_text=${encodeURIComponent(String(candidate?.['email']))}`,
    );
    expect(found.html).toContain(`/console/results/${id}`);
    expect((await owner.get('/console/results?filter_text=nobody-has-this-name')).html).toContain(
      'No results match these filters.',
    );
    const interviewId = String((await resultRow(id))?.['interview_id']);
    const ofInterview = await owner.get(`/console/results?interview_id=${interviewId}`);
    expect(ofInterview.html).toMatch(new RegExp(`value="${interviewId}"\\s+selected`));
  });
});

describe('the page of a result', () => {
  it('shows the candidate, scores, the transcript with recordings, and earlier attempts', async () => {
    const page = await owner.get(`/console/results/${recordedResultId}`);
    expect(page.status).toBe(200);
    expect(page.html).toContain(String((await candidateOf(recordedResultId))?.['email']));
    expect(page.html).toContain('Strengths');
    const players = page.html.match(/<audio controls preload="none" src="[^"]+file_token=/g);
    expect(players).toHaveLength(2);
    expect(page.headers.get('content-security-policy')).toContain(
      `media-src 'self' ${platform.stack.origin};`,
    );
    const tracks = [...page.html.matchAll(/<track kind="captions" [^>]*src="([^"]+)"/g)].map(([, src]) =>
      (src ?? '').replaceAll('&amp;', '&'),
    );
    expect(tracks).toHaveLength(2);
    for (const track of tracks) {
      const captions = await owner.get(track);
      expect([captions.status, captions.headers.get('content-type')]).toEqual([
        200,
        'text/vtt; charset=utf-8',
      ]);
      expect(captions.html).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
    }
    const unknown = `/console/results/${recordedResultId}/captions.vtt?part=${randomUUID()}`;
    expect((await owner.get(unknown)).status).toBe(404);

    const reopened = resultId('active', 4);
    const latest = await owner.get(`/console/results/${reopened}`);
    expect(latest.html).toContain('>Attempt 1<');
    expect(latest.headers.get('content-security-policy')).not.toContain('media-src');
    const earlier = await owner.get(`/console/results/${reopened}?attempt=1`);
    expect(earlier.html).toContain('Scored');
    expect(earlier.html).not.toMatch(/action="\/console\/results/);
    expect((await owner.get(`/console/results/${reopened}?attempt=7`)).status).toBe(404);
  });

  it('shows texts of candidates and models as plain text', async () => {
    const id = await submitted();
    await rows('update enrolment set name = $2 where id = $1', [
      (await candidateOf(id))?.['id'],
      `Eve ${script}`,
    ]);
    await rows(
      `update interview_result set ai_analysis_recruiter = $2, user_feedback_recruiter = $2, score_text = $2,
         recruiter_risks = jsonb_build_array(jsonb_build_object('key', $2::text, 'severity', 'issue', 'note', $2::text)),
         ai_analysis_other = jsonb_build_object('strengths_concerns', jsonb_build_object('strengths', jsonb_build_array($2::text),
           'concerns', jsonb_build_array($2::text)), 'key_statement', jsonb_build_object('quote', $2::text),
           'score_rationale', jsonb_build_object($2::text, $2::text), 'takeaways', jsonb_build_object('x', $2::text))
       where id = $1`,
      [id, script],
    );
    await rows(
      'update result_question set question_asked = $2, answer = $2, ai_analysis_recruiter = $2 where result_id = $1',
      [id, script],
    );
    for (const path of [`/console/results/${id}`, '/console/results?filter_text=Eve']) {
      const page = await owner.get(path);
      expect(page.html).toContain(`Eve ${shownScript}`);
      expect(page.html).not.toContain(script);
    }
    const { html } = await owner.get(`/console/results/${id}`);
    expect(html.split(shownScript).length).toBeGreaterThan(12);
  });
});

describe('a decision', () => {
  it('is stored, recorded and announced for advance, reject, undecided, note, shortlist and stage', async () => {
    const id = await submitted('recruiter_go_next_round is null and not recruiter_shortlist and attempt = 1');
    const decide = (decision: string) => owner.post(`/console/results/${id}/decide`, { decision });
    for (const [decision, stored] of [
      ['advance', true],
      ['reject', false],
      ['undecided', null],
    ] as const) {
      const answer = await decide(decision);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/console/results/${id}`]);
      expect((await resultRow(id))?.['recruiter_go_next_round']).toBe(stored);
    }
    expect((await decide('perhaps')).status).toBe(422);

    const { html } = await owner.get(`/console/results/${id}`);
    expect(html.match(/name="attempt" value="1"/g)?.length).toBeGreaterThan(4);
    const before = await resultRow(id);
    for (const [act, fields] of [
      ['decide', { decision: 'reject' }],
      ['shortlist', { shortlist: 'on' }],
      ['note', { note: 'Of another attempt.' }],
      ['stage', { stage: 'Hired' }],
      ['score', { place: '', question: '', score: '9', reason: 'Good.' }],
    ] as const) {
      const refused = await owner.post(`/console/results/${id}/${act}`, { ...fields, attempt: '7' });
      expect(refused.status).toBe(409);
      expect(refused.html).toContain('Attempt 1 is the result now, not attempt 7. Nothing was changed.');
    }
    expect(await resultRow(id)).toEqual(before);

    await owner.post(`/console/results/${id}/shortlist`, { shortlist: 'on' });
    await owner.post(`/console/results/${id}/note`, { note: `Two lines\r\n${script}` });
    expect(await resultRow(id)).toMatchObject({
      recruiter_shortlist: true,
      user_feedback_recruiter: `Two lines\r\n${script}`,
    });
    for (const [stage, shown] of [
      ['Hired', 'Set the stage to Hired'],
      ['', 'Cleared the stage'],
    ] as const) {
      const { html } = await owner.follow(await owner.post(`/console/results/${id}/stage`, { stage }));
      expect(html).toContain(shown);
      expect(html).toContain(stage === '' ? 'Set stage</summary>' : '<option value="Hired" selected');
    }
    expect((await owner.post(`/console/results/${id}/stage`, { stage: 'Fired' })).status).toBe(422);
    const again = await owner.post(`/console/results/${id}/shortlist`, { shortlist: 'on' });
    expect((await owner.follow(again)).html).toContain('No changes to save.');

    const acts = await rows(
      `select actor_id, details from audit_entry where act = 'job-interview-result-update' and subject_id = $1 order by id`,
      [id],
    );
    expect(acts).toHaveLength(7);
    expect(new Set(acts.map(({ actor_id }) => actor_id))).toEqual(new Set([people.merchant_owner.id]));
    expect(JSON.stringify(acts)).not.toContain('Two lines');
  });

  it('reopens a result after a confirmation, and only once', async () => {
    const id = await submitted();
    const page = await owner.get(`/console/results/${id}`);
    expect(page.html).toMatch(/<dialog class="confirm" id="reopen" popover/);
    const { attempt } = (await resultRow(id)) ?? {};
    const reopened = await owner.post(`/console/results/${id}/reopen`);
    expect((await owner.follow(reopened)).html).toContain('Result reopened.');
    expect(await resultRow(id)).toMatchObject({ attempt: Number(attempt) + 1, status: 'draft' });
    const again = await owner.post(`/console/results/${id}/reopen`);
    expect([again.status, again.html]).toEqual([422, expect.stringContaining('role="alert"')]);
    expect((await owner.get(`/console/results/${id}`)).html).not.toContain('id="reopen"');
  });

  it('grants another attempt after one that ended without a result', async () => {
    const id = await submitted();
    await platform.database.rows(
      `update interview_result set status = 'draft', processing_status = null, interview_status = 'abandoned',
         allowed_unsubmitted = 1 where id = $1`,
      [id],
    );
    const page = await owner.get(`/console/results/${id}`);
    expect(page.html).toContain('Grant another attempt');
    expect((await owner.follow(await owner.post(`/console/results/${id}/grant`))).html).toContain(
      'Attempt granted.',
    );
    const again = await owner.follow(await owner.post(`/console/results/${id}/grant`));
    expect(again.html).toContain('can begin another attempt already');
    expect((await owner.get('/console/audit')).html).toContain('Granted another attempt of');
  });

  it('shows a hiring manager everything without buttons, and rejects every change', async () => {
    const client = await openConsole(platform, 'merchant_selection');
    expect((await client.get('/console/results')).status).toBe(200);
    const before = await resultRow(recordedResultId);
    const page = await client.get(`/console/results/${recordedResultId}`);
    expect(page.html).toContain('Transcript');
    expect(page.html.match(/method="post" action="[^"]+"/g)).toEqual([
      'method="post" action="/console/sign-out"',
    ]);
    for (const [act, fields] of [
      ['decide', { decision: 'reject' }],
      ['shortlist', { shortlist: 'off' }],
      ['note', { note: 'x' }],
      ['stage', { stage: 'Hired' }],
      ['reopen', {}],
      ['grant', {}],
      ['score', { place: '', question: '', score: '9', reason: 'Good.' }],
    ] as const)
      expect((await client.post(`/console/results/${recordedResultId}/${act}`, fields)).status).toBe(403);
    expect(await resultRow(recordedResultId)).toEqual(before);
  });
});

/**
 * Returns the id of a scored result that has no row in score_record, and the id and the computed score of one of its
 * answers.
 */
const scoredResult = async () => {
  const [row] = await rows(
    `select r.id, r.score, q.id as answer, q.score_answer_ai::float8 as computed from interview_result r
     join result_question q on q.result_id = r.id and q.attempt = r.attempt and q.score_answer_ai is not null
     where r.merchant_id = $1 and r.environment = 'production' and r.status = 'active' and r.attempt = 1
       and r.processing_status = 'completed' and not exists (select from score_record s where s.result_id = r.id)
       and not exists (select from score_decision d where d.result_id = r.id)
     order by r.id desc, q.step_order limit 1`,
    [platform.stack.merchant_id],
  );
  return { id: String(row?.['id']), answer: String(row?.['answer']), computed: Number(row?.['computed']) };
};

describe('a score that a person sets on the page of a result', () => {
  it('stands next to the computed one, with the person and the reason, until it is withdrawn', async () => {
    const { id, answer, computed } = await scoredResult();
    const path = `/console/results/${id}`;
    const set = (fields: Record<string, string>) => owner.post(`${path}/score`, fields);
    const { html } = await owner.get(path);
    const place = new RegExp(
      `name="place" value="(\\d+)"/?><input[^>]*name="question" value="${answer}"`,
    ).exec(html)?.[1];
    const fields = { place: String(place), question: answer };

    const refused = await set({ ...fields, [`score${place}`]: '9', [`reason${place}`]: '' });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(new RegExp(`id="set-score${place}" open`));
    expect(refused.html).toMatch(new RegExp(`id="reason${place}-error">Reason `));
    expect(refused.html).toContain('value="9"');
    const tooHigh = await set({ ...fields, [`score${place}`]: '9', [`reason${place}`]: 'Too good.' });
    expect(tooHigh.html).toMatch(new RegExp(`id="score${place}-error">Score must be from 1 to 5`));
    const noNumber = await set({ ...fields, [`score${place}`]: 'high', [`reason${place}`]: 'Good.' });
    expect([noNumber.status, noNumber.html]).toEqual([
      422,
      expect.stringContaining(`id="score${place}-error"`),
    ]);

    const reason = `Shown in the second interview ${script}`;
    const saved = await set({ ...fields, [`score${place}`]: '4,5', [`reason${place}`]: reason });
    expect(saved.status).toBe(303);
    expect(
      await rows('select score::float8, score_answer_ai::float8 as ai from result_question where id = $1', [
        answer,
      ]),
    ).toEqual([{ score: 4.5, ai: computed }]);
    const shown = await owner.follow(saved);
    expect(shown.html).toContain('Score set.');
    expect(shown.html).toContain(`(set by a person; computed: ${computed})`);
    expect(shown.html).toContain('Shown in the second interview &lt;script>');
    expect(shown.html).not.toContain(script);

    const total = await set({ place: '', question: '', score: '9.1', reason: 'All in all.' });
    expect((await owner.follow(total)).html).toContain(`Set by <bdi>${people.merchant_owner.name}</bdi>`);
    const withdrawn = await set({ ...fields, [`reason${place}`]: 'A mistake.', withdraw: 'on' });
    expect((await owner.follow(withdrawn)).html).toContain('Restored the computed score');
    expect(await rows('select score::float8 from result_question where id = $1', [answer])).toEqual([
      { score: computed },
    ]);
  });
});

describe('the progress of another scoring on the page of a result', () => {
  it('says that it runs, and what it changed when it has ended', async () => {
    const { id } = await scoredResult();
    await rows(
      `insert into score_record (merchant_id, environment, result_id, attempt, run, state, scores, requested_by)
       values ($1, 'production', $2, 1, 1, 'scored', '{"score": 6.5}', null),
         ($1, 'production', $2, 1, 2, 'running', null, $3)`,
      [platform.stack.merchant_id, id, people.merchant_owner.id],
    );
    const running = (await owner.get(`/console/results/${id}`)).html;
    expect(running).toMatch(/<div id="standing" data-live="true">.*Running<.*Scoring 2, requested/s);
    expect(running).toContain('Requested scoring 2');
    await rows(
      `update score_record set state = 'scored', ended_at = now(), scores = '{"score": 7}',
         changes = '[{"field": "score", "question_id": null, "from": 6.5, "to": 7}]' where result_id = $1 and run = 2`,
      [id],
    );
    const ended = (await owner.get(`/console/results/${id}`)).html;
    expect(ended).toMatch(/Scored again<.*Show the latest scores/s);
    expect(ended).toMatch(/Changed by scoring 2.*score from 6\.5 to 7/s);
  });
});
