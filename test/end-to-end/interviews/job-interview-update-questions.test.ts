import { definitionCalls, diffOf, given, rubric } from '../../harness/interviews/definitions';
import type { ShownQuestion } from '../../harness/interviews/definitions';
import type { Platform } from '../../harness/platform/platform';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
});

const offline = '0198a000-0000-7000-8000-000000000003';
const three = () => [given('One?'), given('Two?'), given('Three?')];
/** Creates an interview with these questions. Returns its definition and the ids of its questions in order. */
async function build(questions: Record<string, unknown>[], more: Record<string, unknown> = {}) {
  const { id, definition } = await calls.build(questions, more);
  return { id, definition, shown: definition.questions, ids: definition.questions.map((entry) => entry.id) };
}
const at = <T>(list: T[], index: number): T => {
  const entry = list[index];
  if (entry === undefined) throw new Error(`there is no entry ${index}`);
  return entry;
};
const idsNow = async (id: string) => (await calls.read(id)).questions.map((entry: ShownQuestion) => entry.id);

describe('job-interview-update: questions', () => {
  it('replaces a question edited by id with a new record that keeps the omitted fields, and keeps the others', async () => {
    const { id, ids } = await build([
      given('One?', { duration: 45, label: 'L', external_data: { a: 1 } }),
      given('Two?'),
    ]);
    const reply = await calls.update(id, {
      questions: [
        { id: ids[0], question: 'One, please?' },
        { id: ids[1], question: 'Two?' },
      ],
    });
    expect(reply.body['updated_fields']).toEqual(['questions']);
    const { replaced, ...diff } = diffOf(reply);
    expect(diff).toMatchObject({ kept: [ids[1]], added: [], removed: [], reactivated: true });
    expect(replaced).toEqual([{ from: ids[0], to: expect.any(String) }]);
    const after = await calls.read(id);
    expect(after.questions[0]).toMatchObject({
      id: at(replaced, 0).to,
      question: 'One, please?',
      duration: 45,
      label: 'L',
      external_data: { a: 1 },
      candidate_expectations_json: rubric,
    });
    expect(diff.question_ids).toEqual(await calls.stepIds(id));
    expect(diff.question_ids.slice(1, 3)).toEqual(after.questions.map((question) => question.id));
    const compiled = after['calc_definition_json'] as { steps: { id: string; text: string }[] };
    expect(compiled.steps.map((step) => step.id)).toEqual(diff.question_ids);
    expect(at(compiled.steps, 1).text).toBe('One, please?');
  });

  it('unlinks a removed question, whose record still exists, and adds another one', async () => {
    const { id, ids } = await build(three());
    const reply = await calls.update(id, { questions: [{ question: 'One?' }, { question: 'New?' }] });
    const { kept, added, removed } = diffOf(reply);
    expect([kept, removed, added.length]).toEqual([[ids[0]], [ids[1], ids[2]], 1]);
    expect(await idsNow(id)).toEqual([ids[0], ...added]);
    const records = await platform.database.rows<{ question: string }>(
      'select question from question where id = any ($1) order by question',
      [removed],
    );
    expect(records).toEqual([{ question: 'Three?' }, { question: 'Two?' }]);
  });

  it.each([
    ['removed', [1]],
    ['moved after it', [1, 0]],
  ])(
    'returns 422 for a conditional question whose parent is %s, and changes nothing',
    async (_what, places) => {
      const { id, definition, shown } = await build([
        given('Parent?', { external_id: 'p' }),
        given('Child?', { is_conditional: true, conditional_question_main_id: 'p' }),
      ]);
      const full = await calls.update(id, { questions: places.map((place) => at(shown, place)) });
      expect([full.status, full.body.name]).toEqual([422, 'questions[0].conditional_question_main_id']);
      const short = await calls.update(id, {
        questions: places.map((place) => ({ id: at(shown, place).id, question: at(shown, place).question })),
      });
      expect([short.status, short.body.name]).toEqual([422, 'questions[0].conditional_question_main_id']);
      expect(await calls.read(id)).toEqual(definition);
    },
  );

  it('leaves a record that another interview shares unchanged there', async () => {
    const first = await build([given('Shared?'), given('Own?')]);
    const second = await build([{ ...at(first.shown, 0) }, given('Mine?')]);
    expect(second.ids[0]).toBe(first.ids[0]);
    await calls.update(first.id, { questions: [{ id: first.ids[0], question: 'Changed?' }] });
    expect(await calls.read(second.id)).toEqual(second.definition);
    const third = await calls.update(first.id, { questions: [at(second.shown, 1)] });
    expect(diffOf(third)).toMatchObject({ added: [second.ids[1]], replaced: [], kept: [] });
    expect(await idsNow(first.id)).toEqual([second.ids[1]]);
  });

  it('creates a new record when a record of the account is sent with other content', async () => {
    const first = await build([given('Shared?', { duration: 33 })]);
    const second = await build([given('Mine?')]);
    const reply = await calls.update(second.id, {
      questions: [{ question: 'Mine?' }, { id: first.ids[0], question: 'Edited?' }],
    });
    const { added } = diffOf(reply);
    expect(added).not.toContain(first.ids[0]);
    expect(at((await calls.read(second.id)).questions, 1)).toMatchObject({ id: added[0], duration: 33 });
    expect(await calls.read(first.id)).toEqual(first.definition);
  });

  it.each(['unknown', 'foreign', 'a welcome step'])(
    'returns 422 for questions[1].id when it is %s',
    async (kind) => {
      const { id, definition } = await build([given('One?')]);
      const [foreign] = await platform.database.rows<{ id: string }>(
        `select id from question where merchant_id = $1 and view = 'question' limit 1`,
        [platform.stack.other_merchant_id],
      );
      const named = { unknown: '0198a000-0000-7000-8000-0000000000ff', foreign: foreign?.id }[kind];
      const reply = await calls.update(id, {
        questions: [{ question: 'One?' }, { question: 'Two?', id: named ?? at(await calls.stepIds(id), 0) }],
      });
      expect([reply.status, reply.body.name]).toEqual([422, 'questions[1].id']);
      expect(reply.body.error).toBe(
        'questions[1].id does not name a question of the account. Leave it out for a new question.',
      );
      expect(await calls.read(id)).toEqual(definition);
    },
  );

  it('returns 422 for a repeated external_id, a foreign knowledge base and an empty list', async () => {
    const { id, definition } = await build([given('One?')]);
    const name = async (questions: unknown) => {
      const reply = await calls.update(id, { questions });
      return [reply.status, reply.body.name];
    };
    const twice = { question: 'Two?', external_id: 'x' };
    expect(await name([twice, twice])).toEqual([422, 'questions[1].external_id']);
    const [foreign] = await platform.database.rows<{ id: string }>(
      'select id from knowledge_base where merchant_id = $1',
      [platform.stack.other_merchant_id],
    );
    const based = { question: 'Two?', knowledge_base_id: foreign?.id };
    expect(await name([based])).toEqual([422, 'questions[0].knowledge_base_id']);
    expect(await name([])).toEqual([422, 'questions']);
    expect(await calls.read(id)).toEqual(definition);
  });

  it('are rejected for an active interview on an offline template, unless the same call sets draft', async () => {
    const { id, definition, shown } = await build(three(), { interview_template_id: offline });
    const questions = [{ question: 'New?' }];
    const refused = await calls.update(id, { questions, name: 'Unseen' });
    expect([refused.status, refused.body.name]).toEqual([422, 'questions']);
    expect((await calls.update(id, { questions: shown })).body['updated_fields']).toEqual([]);
    expect(await calls.read(id)).toEqual(definition);
    const accepted = await calls.update(id, { questions, status: 'draft' });
    expect(accepted.body['updated_fields']).toEqual(['status', 'questions']);
    expect((await calls.read(id)).questions.map(({ question }) => question)).toEqual(['New?']);
    const back = await calls.update(id, { questions: [{ question: 'Newer?' }], status: 'active' });
    expect([back.status, back.body.name]).toEqual([422, 'questions']);
  });

  it.each([
    ['active', undefined, true],
    ['active', 'active', true],
    ['active', 'draft', false],
    ['draft', undefined, false],
    ['draft', 'active', false],
  ])(
    'of an interview that is %s are changed, with the status %s in the call, and reactivate it: %s',
    async (status, sent, reactivated) => {
      const { id } = await build(three(), { status });
      const reply = await calls.update(id, {
        questions: [{ question: 'New?' }],
        ...(sent ? { status: sent } : {}),
      });
      expect(diffOf(reply).reactivated).toBe(reactivated);
    },
  );

  it('handles simultaneous calls one after the other, and stores the last one completely', async () => {
    const { id } = await build(three());
    const replies = await meetAtInterview(
      platform.database,
      id,
      ['A', 'B', 'C', 'D'].map(
        (name) => () => calls.update(id, { questions: [{ question: `${name}1` }, { question: `${name}2` }] }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const texts = (await calls.read(id)).questions.map(({ question }) => question);
    expect(texts).toEqual([`${texts[0]?.[0]}1`, `${texts[0]?.[0]}2`]);
    const steps = await calls.stepIds(id);
    expect(replies.map((reply) => diffOf(reply).question_ids)).toContainEqual(steps);
  });
});
