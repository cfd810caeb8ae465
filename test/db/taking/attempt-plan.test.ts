import { templateIds } from '../../../local/seed/templates';
import { createTakingWorld, openTurn } from './taking-world';
import type { StepRow, TakingWorld } from './taking-world';

/* Tests which steps an attempt has (docs/taking.md#the-plan). */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

type PlannedStep = {
  text: string;
  kind: string;
  mode: string;
  view: string;
  parent_place: number | null;
  max_followups: number;
};
/** Creates a candidate who begins an interview with these questions. Returns the plan of the attempt. */
async function planOf(questions: StepRow[], changes: Record<string, unknown> = {}): Promise<PlannedStep[]> {
  const link = await world.open(questions, changes);
  const { attempt } = await world.begin(link);
  return world.database.rows<PlannedStep>(
    `select text, kind, mode, view, parent_place, max_followups from attempt_step where result_id = $1 order by place`,
    [attempt?.result_id],
  );
}
const named = (count: number): StepRow[] =>
  Array.from({ length: count }, (_, index) => ({ question: `Q${index + 1}` }));
const offline = { interview_template_id: templateIds.offline_avatar_3 };
const textsOf = (plan: PlannedStep[]) => plan.slice(1, -1).map(({ text }) => text);

describe('a plan', () => {
  it('has the welcome first, then videos, the questions in their order, and the thank-you last', async () => {
    const plan = await planOf(
      [
        { question: 'One' },
        { question: 'Two', is_multiple_choice: true, question_alternatives: ['a', 'b'] },
        { question: 'Watch', view: 'instructional_video' },
        { question: 'Three', is_expert: true },
        { question: 'Four', is_without_scoring: true },
        { question: 'Ask', is_candidate_asking_recruiter: true, is_without_scoring: true },
      ],
      { ...offline, candidate_video_introduction: 'optional' },
    );
    expect(plan.map(({ text, kind, mode, view }) => [text, kind, mode, view])).toEqual([
      ['Welcome', 'welcome', 'none', 'welcome'],
      ['Watch', 'instructional_video', 'none', 'instructional video'],
      ['', 'introduction', 'video', 'without scoring'],
      ['One', 'question', 'text', 'with listening'],
      ['Two', 'question', 'choice', 'multiple choice'],
      ['Three', 'question', 'text', 'with listening expert'],
      ['Four', 'question', 'text', 'without scoring'],
      ['Ask', 'candidate_asks', 'text', 'candidate asking recruiter'],
      ['Thanks', 'thank_you', 'none', 'thank you'],
    ]);
  });

  it.each([
    [0.01, 10, 1],
    [0.14, 10, 1],
    [0.15, 10, 2],
    [0.25, 10, 3],
    [0.29, 50, 15],
    [0.9, 2, 2],
    [null, 7, 7],
  ])('keeps the fraction %s of %d questions: %d, half up and in order', async (fraction, count, kept) => {
    const texts = textsOf(await planOf(named(count), { questions_random_subset: fraction }));
    expect(texts).toHaveLength(kept);
    expect(texts.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(texts);
  });

  it('always keeps unscored questions and those of the candidate, and conditional ones with their parent', async () => {
    const questions: StepRow[] = [
      { question: 'Rapport', is_without_scoring: true },
      ...named(6).flatMap(({ question }) => [{ question }, { question: `${question} if`, conditional_question_main: question }]),
      { question: 'Ask', is_candidate_asking_recruiter: true },
    ]; // prettier-ignore
    const plan = await planOf(questions, { questions_random_subset: 0.5 });
    const texts = textsOf(plan);
    expect(texts).toHaveLength(2 + 3 * 2);
    expect([texts[0], texts.at(-1)]).toEqual(['Rapport', 'Ask']);
    for (const [place, text] of texts.entries())
      if (text.endsWith(' if')) expect(texts[place - 1]).toBe(text.replace(' if', ''));
    const conditional = plan.filter(({ kind }) => kind === 'conditional');
    expect(conditional.map(({ parent_place }) => plan[(parent_place ?? 0) - 1]?.text)).toEqual(
      conditional.map(({ text }) => text.replace(' if', '')),
    );
  });

  it('draws other questions in another attempt, but the same ones whenever it looks', async () => {
    const link = await world.open(named(40), { questions_random_subset: 0.5 });
    const draw = async () => {
      const { attempt } = await world.begin({ ...link, isTest: true });
      const rows = await world.database.rows<{ text: string }>(
        'select text from attempt_step where result_id = $1 and attempt = $2 order by place',
        [attempt?.result_id, attempt?.attempt],
      );
      await world.change(
        `update interview_result set interview_status = 'failed' where id = $1`,
        attempt?.result_id,
      );
      return rows.map(({ text }) => text).join();
    };
    expect(new Set([await draw(), await draw(), await draw()]).size).toBe(3);
  });

  it('moves a conditional question to its parent and nests those of a conditional one', async () => {
    expect(
      textsOf(
        await planOf([
          { question: 'A' },
          { question: 'B' },
          { question: 'A1', conditional_question_main: 'A' },
          { question: 'A11', conditional_question_main: 'A1' },
          { question: 'A2', conditional_question_main: 'A' },
        ]),
      ),
    ).toEqual(['A', 'A1', 'A11', 'A2', 'B']);
  });

  it('asks a conditional question without its parent like any other', async () => {
    const plan = await planOf([{ question: 'A', is_conditional: true }]);
    expect(plan[1]).toMatchObject({ text: 'A', kind: 'question' });
  });

  it('has at most 60 turns', async () => {
    expect(textsOf(await planOf(named(70)))).toHaveLength(56);
  });

  it.each([
    [templateIds.interactive_voice, null, ['voice', 'voice', 'voice', 'voice', 'voice', 'voice']],
    [templateIds.interactive_avatar_1, 'audio_all', ['voice', 'voice', 'voice', 'voice', 'voice', 'voice']],
    [templateIds.offline_avatar_3, null, ['text', 'text', 'text', 'text', 'text', 'text']],
    [templateIds.offline_avatar_3, 'audio_all', ['voice', 'voice', 'voice', 'voice', 'voice', 'voice']],
    [
      templateIds.offline_avatar_3,
      'video_first_5_answers',
      ['video', 'video', 'video', 'video', 'video', 'text'],
    ],
    [
      templateIds.interactive_voice,
      'video_first_5_answers',
      ['video', 'video', 'video', 'video', 'video', 'voice'],
    ],
  ])(
    'has the modes of the template %s with the recording %s',
    async (interview_template_id, recording, modes) => {
      const plan = await planOf(named(6), { interview_template_id, recording });
      expect(plan.slice(1, -1).map(({ mode }) => mode)).toEqual(modes);
    },
  );

  it.each([
    [templateIds.interactive_voice, null, 1],
    [templateIds.offline_avatar_3, null, 0],
    [templateIds.offline_avatar_3, 2, 2],
    [templateIds.interactive_voice, 999, 3],
    [templateIds.interactive_voice, 0, 0],
  ])(
    'allows the follow-ups of the template %s with max_followups %s: %d',
    async (interview_template_id, max, allowed) => {
      const plan = await planOf(
        [
          { question: 'A' },
          { question: 'B', is_without_scoring: true },
          { question: 'C', is_multiple_choice: true, question_alternatives: ['a'] },
        ],
        { interview_template_id, max_followups: max },
      );
      expect(plan.slice(1, -1).map(({ max_followups }) => max_followups)).toEqual([allowed, 0, 0]);
    },
  );

  it('lets a candidate skip an optional introduction only', async () => {
    for (const [candidate_video_introduction, required] of [
      ['optional', false],
      ['required', true],
    ] as const) {
      const link = await world.open(named(1), { candidate_video_introduction });
      await world.begin(link);
      await world.answerOpen(link);
      const turn = openTurn((await world.get(link)).attempt);
      expect(turn).toMatchObject({
        kind: 'introduction',
        answer: { mode: 'video', required, max_seconds: 60 },
      });
    }
  });
});
