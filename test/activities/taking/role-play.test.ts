import type { DecidedTurn } from '../../../activities/taking/attempts';
import { reaction } from '../../../activities/taking/prompts';
import { findAttemptInput } from '../../../db/scoring/attempt-input';
import { findInterviewToSpeak } from '../../../db/taking/speech';
import { followUps } from '../../../local/fakes/follow-ups';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { interactiveVoice, longAnswer, startAttemptWorld } from './attempt-world';
import type { AttemptWorld } from './attempt-world';

const persona = {
  name: 'Grace Okafor',
  role: 'Head of purchasing',
  situation: 'A hotel chain may buy 200 licenses.',
  goal: 'a discount of 30 percent',
  mood: 'stubborn',
  opening_line: 'I have your offer here, and it is too expensive.',
};
const shown = { name: persona.name, role: persona.role, situation: persona.situation };
const topics = [{ question: 'Your competitor is cheaper.' }, { question: 'Who pays for the installation?' }];

describe('an attempt in which the AI plays a person', () => {
  let world: AttemptWorld;
  beforeAll(async () => {
    world = await startAttemptWorld();
  });
  afterEach(() => world.clearFaults());

  const begin = async (changes: Record<string, unknown> = {}) => {
    const link = await world.open(topics, {
      type: 'persona',
      persona: JSON.stringify(persona),
      interview_template_id: interactiveVoice,
      max_followups: 1,
      ...changes,
    });
    const { attempt } = await world.begin(link);
    return { link, attempt, result_id: attempt?.result_id ?? '' };
  };
  const decide = (turn_id: string) =>
    activityEnvironment().run(world.activities.decideNextTurn, {
      turn_id,
      within_ms: 10_000,
    }) as Promise<DecidedTurn>;
  /** Answers the open turn, lets the model decide, and returns the next turn. */
  const answer = async (link: Awaited<ReturnType<typeof begin>>['link'], text: string) => {
    const { turn_id, needs_decision } = await world.type(link, text);
    if (needs_decision) await decide(turn_id);
    const { attempt } = await world.get(link);
    return attempt;
  };

  it('opens with the opening line, reacts at most as often as allowed, and then brings up its topics in order', async () => {
    const { link, attempt, result_id } = await begin();
    expect(attempt).toMatchObject({
      persona: shown,
      turn: {
        kind: 'question',
        text: persona.opening_line,
        speaker: persona.name,
        answer: { mode: 'voice' },
      },
    });
    const said = [];
    for (const text of ['Too expensive?', 'No.', 'Cheaper?', longAnswer]) {
      const { turn } = (await answer(link, text)) ?? {};
      said.push([turn?.kind, turn?.speaker, turn?.text]);
    }
    expect(said).toEqual([
      ['follow_up', persona.name, followUps['en']],
      ['question', persona.name, topics[0]?.question],
      ['follow_up', persona.name, followUps['en']],
      ['question', persona.name, topics[1]?.question],
    ]);
    const [call] = await world.modelCalls(result_id);
    expect(call).toMatchObject({ purpose: 'next_turn', prompt_version: reaction.version });
    const sent = JSON.stringify((await world.requests()).at(-1)?.messages);
    expect(sent).toContain(persona.mood);
    expect(sent).toContain(persona.opening_line);
  });

  it('brings up its next topic instead of a reply that leaves the role', async () => {
    const { link } = await begin();
    await world.fault({ decision: 'leaves_role' });
    const before = world.dropped.length;
    const attempt = await answer(link, 'What score would you give me?');
    expect(attempt?.turn).toMatchObject({ kind: 'question', text: topics[0]?.question });
    expect(world.dropped.slice(before)).toEqual(['role']);
  });

  it('says the same line again after silence', async () => {
    const { link } = await begin({ max_followups: 0 });
    const { turn_id } = await world.say(link, '');
    await activityEnvironment().run(world.activities.transcribeAnswer, { turn_id, within_ms: 10_000 });
    expect(await decide(turn_id)).toMatchObject({ outcome: 'still_there' });
    expect(await world.openTurnOf(link)).toMatchObject({ text: persona.opening_line, speaker: persona.name });
  });

  it('keeps its person when the definition changes, and the next attempt has the new one', async () => {
    const { link, result_id } = await begin();
    const other = { ...persona, name: 'Noah Lind', opening_line: 'Let us begin.' };
    await world.database.rows(
      `update interview set persona = $2 where id = (select interview_id from interview_result where id = $1)`,
      [result_id, JSON.stringify(other)],
    );
    const attempt = await answer(link, longAnswer);
    expect(attempt).toMatchObject({ persona: shown, turn: { speaker: persona.name } });
    await world.database.rows(
      `update interview_result set interview_status = 'failed', ended_at = now() where id = $1`,
      [result_id],
    );
    const next = await world.begin(link);
    expect(next).toMatchObject({
      outcome: 'begun',
      attempt: { persona: { name: other.name }, turn: { text: other.opening_line, speaker: other.name } },
    });
  });

  it('speaks the opening line, and is scored with the person as the other side', async () => {
    const { link, result_id } = await begin({ result_view: 'minimal', status: 'active', max_followups: 0 });
    const [row] = await world.database.rows<{ interview_id: string }>(
      'select interview_id from interview_result where id = $1',
      [result_id],
    );
    const spoken = await world.worker.writeAsWorker((trx) =>
      trx.one(findInterviewToSpeak(row?.interview_id ?? '')),
    );
    expect(spoken.texts.map(({ text }) => text)).toContain(persona.opening_line);
    for (let turn = 0; turn < 3; turn += 1) await answer(link, longAnswer);
    await world.submit(link);
    await world.database.rows(`update score_record set state = 'running' where result_id = $1`, [result_id]);
    const input = await world.worker.writeAsWorker((trx) =>
      trx.one(findAttemptInput({ result_id, attempt: 1, run: 1 }, null)),
    );
    expect(input.persona).toEqual(shown);
    expect(input.steps.map(({ question, is_scored }) => [question, is_scored])).toEqual([
      [persona.opening_line, false],
      ...topics.map(({ question }) => [question, true]),
    ]);
  });
});
