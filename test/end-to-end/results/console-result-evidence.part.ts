import { people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';

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
