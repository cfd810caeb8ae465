import { definitionCalls } from '../../harness/interviews/definitions';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

/* A test with choices: made by the API, taken by link, scored by its key, and shown to the candidate. */

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let definitions: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = candidateCalls(platform);
  definitions = definitionCalls(platform);
});

const options = ['Hash', 'B-tree', 'BRIN', 'None'];
const key = (right: string, half: string) => ({ weak: [], moderate: [half], strong: [right] });
const choices = (keyOfAll: ReturnType<typeof key>) =>
  ['Which index serves a prefix?', 'Which index is sorted?', 'Which index serves a range?'].map(
    (question) => ({
      question,
      is_multiple_choice: true,
      question_alternatives: options,
      candidate_expectations_json: keyOfAll,
    }),
  );
const create = (keyOfAll: ReturnType<typeof key>, more: Record<string, unknown> = {}): Promise<Reply> =>
  definitions.fromArray({
    name: 'Indexes',
    type: 'assessment',
    interview_template_id: platform.stack.template_ids.offline_avatar_3,
    questions: choices(keyOfAll),
    ...more,
  });

/** Removes what differs between two attempts, whatever the key of their interviews is. */
const withoutIds = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/(?<=(?:remaining_ms(?:&quot;|")|data-[\w-]+=")[:"]?)\d+/g, 'ms')
    .replaceAll(/eyJ[\w.-]+/g, 'token');

/** Takes the test with these answers. Returns the link and everything that the candidate got before the submit. */
async function take(created: Reply, answers: readonly string[]) {
  const link = await calls.register(String(created.body['interview_def_set_id']));
  const seen = [(await openLink(link.url)).html];
  let { attempt, text } = await calls.begin(link.token);
  seen.push(text, (await openLink(link.url)).html);
  for (const choice of ['', ...answers]) {
    const given = choice === '' ? { seen: true } : { choice };
    ({ attempt, text } = await calls.answer(link.token, turnOf(attempt).turn_id, given));
    seen.push(text, (await openLink(link.url)).html);
  }
  expect(attempt.state).toBe('collected');
  return { ...link, seen: seen.map(withoutIds), resultId: attempt.result_id };
}

it('gives a candidate the same replies and pages whatever the key is, and no more than the view allows afterwards', async () => {
  const answers = ['B-tree', 'BRIN', 'None'];
  const weak = ['Hash', 'Hash', 'BRIN'];
  const again = { result_view: 'full', interview_attempts: 2 };
  const [one, other, advanced, repeated] = await Promise.all([
    create(key('B-tree', 'BRIN'), { result_view: 'full' }).then((created) => take(created, answers)),
    create(key('None', 'Hash'), { result_view: 'full' }).then((created) => take(created, answers)),
    create(key('B-tree', 'BRIN'), { result_view: 'advanced' }).then((created) => take(created, weak)),
    create(key('B-tree', 'BRIN'), again).then((created) => take(created, weak)),
  ]);
  expect(one.seen).toEqual(other.seen);
  const scored = async ({ token, resultId }: typeof one) => {
    await calls.call('attempt-submit', { token, body: {} });
    const details = await waitFor('the scores', async () => {
      const { body } = await platform.call('job-interview-details', {
        query: { interview_result_id: resultId },
      });
      return body['processing_status'] === 'completed' && body;
    });
    const made = await platform.database.rows('select from model_call where result_id = $1', [resultId]);
    return { details, made, result: (await calls.get(token)).attempt.result };
  };
  const [full, { result, details }, { result: first }] = await Promise.all([
    scored(one),
    scored(advanced),
    scored(repeated),
  ]);
  expect(full.made).toEqual([]);
  expect(full.details).toMatchObject({
    score: 5,
    score_text: 'Moderate',
    ai_interview_coverage_percentage: 100,
  });
  expect(
    (full.details['transcript'] as unknown[]).filter((part) => (part as { answer: unknown }).answer),
  ).toMatchObject([5, 3, 1].map((score) => ({ view: 'multiple choice', answer_mode: 'choice', score })));
  expect(full.result?.questions).toMatchObject(
    [5, 3, 1].map((score) => ({ score, rubric: key('B-tree', 'BRIN') })),
  );

  expect(details).toMatchObject({ score: 1.7 });
  expect(JSON.stringify(result)).not.toContain('B-tree');
  const said = result?.questions?.map(({ ai_analysis, passages }) => [ai_analysis, passages?.length]);
  expect(said).toEqual([
    ['Wrong answer.', 0],
    ['Wrong answer.', 0],
    ['Half right answer.', 1],
  ]);
  expect(first?.questions?.map(({ score }) => score)).toEqual([1, 1, 3]);
  expect(JSON.stringify(first)).not.toContain('B-tree');

  const { html } = await openLink(advanced.url);
  expect(html).toContain('Right choices: 0 of 3.');
  expect(html).not.toContain('B-tree');
});
