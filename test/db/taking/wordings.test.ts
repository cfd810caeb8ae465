import { templateIds } from '../../../local/seed/templates';
import { createTakingWorld } from './taking-world';

it('a plan asks one of the wordings of a question, the same one whenever it is read, and keeps options as they are', async () => {
  const world = await createTakingWorld();
  const wordings = ['Which database?', 'What stores your data?', 'Where does your data live?'];
  const options = ['Postgres', 'Another'];
  const link = await world.open(
    [
      { question: 'Which database?', question_alternatives: wordings.slice(1) },
      { question: 'Which one?', is_multiple_choice: true, question_alternatives: options },
    ],
    { interview_template_id: templateIds.offline_avatar_3 },
  );
  const asked = new Set<string>();
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const test = { ...link, isTest: true };
    const { attempt: begun } = await world.begin(test);
    await world.answerOpen(test);
    await world.answerOpen(test);
    const turns = await world.database.rows<Record<string, string>>(
      `select q.question_original as original, q.question_asked as asked, s.text as planned, q.choices
       from result_question q join attempt_step s on s.result_id = q.result_id and s.attempt = q.attempt and s.place = q.place
       where q.result_id = $1 and q.attempt = $2 and q.kind = 'question' order by q.step_order`,
      [begun?.result_id, begun?.attempt],
    );
    expect(turns).toMatchObject([
      { original: wordings[0], planned: turns[0]?.['asked'], choices: null },
      { original: 'Which one?', asked: 'Which one?', choices: options },
    ]);
    asked.add(turns[0]?.['asked'] ?? '');
    await world.change(
      `update interview_result set interview_status = 'failed' where id = $1`,
      begun?.result_id,
    );
  }
  expect([...asked].toSorted()).toEqual(wordings.toSorted());
});
