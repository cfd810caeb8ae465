import { definitionCalls } from '../../harness/interviews/definitions';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import type { Reply } from '../../harness/platform/platform';

let platform: OperationsWithWorker;
let definitions: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
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

it('rejects a key that names no option, in create-from-array and update', async () => {
  const created = await create(key('Heap', 'BRIN'));
  const field = 'questions[0].candidate_expectations_json.strong[0]';
  expect([created.status, created.body['name'], created.body['code']]).toEqual([422, field, 'invalid_value']);
  const { body } = await create(key('B-tree', 'BRIN'), { status: 'draft' });
  const id = String(body['interview_def_set_id']);
  const { questions } = await definitions.read(id);
  const changed = questions.map((question) => ({ ...question, question_alternatives: ['B-tree', 'Hash'] }));
  const moderate = 'questions[0].candidate_expectations_json.moderate[0]';
  expect(await definitions.update(id, { questions: changed })).toMatchObject({
    status: 422,
    body: { name: moderate },
  });
  expect((await definitions.read(id)).questions).toEqual(questions);
});
