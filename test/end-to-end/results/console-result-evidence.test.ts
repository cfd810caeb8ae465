import { people } from '../../../local/seed/accounts';
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
const rows = (text: string, values: unknown[] = []) => platform.database.rows(text, values);

describe('the review of a result', () => {
  it('highlights the evidence of an answer, and survives assessments of another form', async () => {
    const [result] = await rows(
      `select id from interview_result r where merchant_id = $1 and environment = 'production' and status = 'active'
         and processing_status = 'completed' and attempt = 1
         and exists (select from result_question q where q.result_id = r.id)
         and not exists (select from score_record s where s.result_id = r.id) order by id desc limit 1`,
      [platform.stack.merchant_id],
    );
    const id = String(result?.['id']);
    const [part] = await rows(
      'select id from result_question where result_id = $1 order by step_order limit 1',
      [id],
    );
    const answer = `We cut waste by half ${script}`;
    const quote = 'cut waste by half';
    const criterion = { id: 's1', bracket: 'strong', text: script, met: 'yes', quote, start: 3, end: 20 };
    await rows('update result_question set answer = $2, answer_assessment_raw_data = $3 where id = $1', [
      part?.['id'],
      answer,
      { status: 'scored', bracket: 'strong', criteria: [criterion] },
    ]);
    await rows(
      `insert into score_record (merchant_id, environment, result_id, attempt, run, state, model, scores, requested_by)
       values ($1, 'production', $2, 1, 1, 'scored', 'model-of-the-record', '{"score": 6.5}', $3)`,
      [platform.stack.merchant_id, id, people.merchant_owner.id],
    );
    const page = await owner.get(`/console/results/${id}`);
    expect(page.html).toMatch(
      /<mark class="strong"><span id="passage-(\d+)-1"><\/span>cut waste by half<\/mark>/,
    );
    expect(page.html).toMatch(/href="#passage-\d+-1"><bdi>“cut waste by half”/);
    expect(page.html).not.toContain(script);
    expect(page.html).toContain('model-of-the-record');

    for (const raw of ['"text"', '[1]', '{"criteria": [{"met": "yes", "start": -1}, 5]}']) {
      await rows('update result_question set answer_assessment_raw_data = $2 where id = $1', [
        part?.['id'],
        raw,
      ]);
      expect((await owner.get(`/console/results/${id}`)).status).toBe(200);
    }
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

  it('can be set by recruiters only, from a form of the console', async () => {
    const { id, answer } = await scoredResult();
    const manager = await openConsole(platform, 'merchant_selection');
    expect((await manager.get(`/console/results/${id}`)).html).not.toContain('/score"');
    const fields = { place: '', question: '', score: '9', reason: 'Good.' };
    expect((await manager.post(`/console/results/${id}/score`, fields)).status).toBe(403);
    expect((await owner.send(`/console/results/${id}/score`, { ...fields, csrf: 'wrong' })).status).toBe(403);
    expect(await rows('select id from score_decision where result_id = $1', [id])).toEqual([]);
    expect(answer).not.toBe('undefined');
  });
});

describe('the decisions on the page of a result', () => {
  it('name the person and the time of each, and not those of other results', async () => {
    const { id } = await scoredResult();
    const path = `/console/results/${id}`;
    await owner.post(`${path}/decide`, { decision: 'reject' });
    await owner.post(`${path}/decide`, { decision: 'advance' });
    const { html } = await owner.get(path);
    const list = html.slice(html.indexOf('Who decided what'));
    expect(list).toMatch(
      new RegExp(
        `title="\\d{4}-[^"]* UTC".*${people.merchant_owner.name}.*Advanced the candidate.*Rejected the candidate`,
        's',
      ),
    );
    const other = await rows(
      `select id from interview_result where merchant_id = $1 and environment = 'production' and id <> $2 limit 1`,
      [platform.stack.merchant_id, id],
    );
    const otherPage = (await owner.get(`/console/results/${String(other[0]?.['id'])}`)).html;
    expect(otherPage.slice(otherPage.indexOf('Who decided what'))).not.toContain('Rejected the candidate');
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
