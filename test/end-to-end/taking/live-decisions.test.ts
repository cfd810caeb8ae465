import { followUpIn } from '../../../local/fakes/next-turn';
import { platformTemplateIds } from '../../../local/seed/templates';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { startLive } from '../../harness/platform/start-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import type { CandidateLink } from '../../harness/taking/candidate';
import { livePages } from '../../harness/taking/live-page';
import type { LivePage } from '../../harness/taking/live-page';
import { waitFor } from '../../harness/wait-for';

/* What is decided in a live conversation is decided as without one: role-plays, early stop, limits and what is kept. */

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let pages: ReturnType<typeof livePages>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true, live: true });
  await startLive(platform);
  calls = candidateCalls(platform);
  pages = livePages(platform);
});

const persona = {
  name: 'Grace Okafor',
  role: 'Head of purchasing',
  situation: 'A hotel chain may buy 200 licenses.',
  goal: 'a discount of 30 percent',
  mood: 'stubborn',
  opening_line: 'I have your offer here, and it is too expensive.',
};
const rubric = {
  weak: ['Names a project from the past'],
  moderate: ['Explains the own part in the project'],
  strong: ['Backs the result of the project with numbers or feedback'],
};
const begin = async (questions: { question: string }[], changes: Record<string, unknown>) => {
  const interviewId = await calls.makeInterview(questions, {
    interview_template_id: platformTemplateIds.interactive_avatar_1,
    candidate_expectations_json: rubric,
    recording: 'audio_all',
    ...changes,
  });
  const link = await calls.register(interviewId);
  await calls.begin(link.token);
  return { link, page: await pages.open(link) };
};
/** Listens to a turn, answers it in full, and completes the recording when the next turn can be heard. */
async function answer(page: LivePage, text: string) {
  const said = await page.listen();
  await page.rest();
  const recordingId = await page.record(said.turn_id);
  await page.say(text);
  page.pause(2_000);
  await page.next('answered');
  return { said, done: () => page.complete(recordingId, text) };
}
const detailsOf = async ({ token }: CandidateLink) => {
  const { attempt } = await calls.get(token);
  const { body } = await platform.call('job-interview-details', {
    query: { interview_result_id: attempt.result_id },
  });
  return body;
};

describe('a live conversation with a person whom the AI plays', () => {
  it('speaks its reactions, and is scored', async () => {
    const { link, page } = await begin([{ question: 'Your competitor is cheaper.' }], {
      type: 'persona_interview',
      persona,
      max_followups: 1,
    });
    const answers = [
      'It is not too expensive.',
      'I led a project for a hotel like yours.',
      'It is cheaper to buy, not to own.',
      'My own part in the project was the price.',
    ];
    const spoken: string[] = [];
    const left: (() => Promise<void>)[] = [];
    for (const text of answers) {
      const { said, done } = await answer(page, text);
      spoken.push(said.text);
      left.push(done);
    }
    expect(spoken).toEqual([
      persona.opening_line,
      followUpIn('en'),
      'Your competitor is cheaper.',
      followUpIn('en'),
    ]);
    expect(await page.closed()).toBe(1000);
    for (const done of left) await done();
    await calls.call('attempt-submit', { token: link.token, body: {} });
    await waitFor('the score', async () => typeof (await detailsOf(link))['score'] === 'number');
    const { transcript } = (await detailsOf(link)) as { transcript: Record<string, unknown>[] };
    expect(
      transcript.flatMap(({ speaker, question_asked: asked, answer: given }) =>
        speaker === null ? [] : [[asked, given]],
      ),
    ).toEqual(spoken.map((text, index) => [text, answers[index]]));
  });
});

describe('a live conversation', () => {
  it('stops early when what was heard is enough, before it is transcribed', async () => {
    const questions = ['First?', 'Second?', 'Third?', 'Last?'].map((question) => ({
      question,
      candidate_expectations_json: rubric,
    }));
    const { link, page } = await begin(questions, { result_scoring: { early_stop: true } });
    expect((await page.listen()).text).toBe('Welcome');
    for (const text of [
      'I led a project at a bakery last year. My own part in the project was the new oven plan.',
      'It was hard work for all of us.',
      'The result was 30 percent more sales in all of the 40 shops within a year.',
    ])
      await answer(page, text);
    expect(await page.closed()).toBe(1000);
    expect((await calls.get(link.token)).attempt).toMatchObject({
      state: 'collected',
      stopped_because: 'enough',
    });
  });

  it('keeps no recording if the interview records nothing', async () => {
    const { link, page } = await begin([{ question: 'First?' }], { recording: null });
    await page.listen();
    const { said, done } = await answer(page, 'I have planned the work of my whole team.');
    expect(await page.closed()).toBe(1000);
    await done();
    await waitFor('the transcript and the end of the recording', async () => {
      const { transcript } = (await detailsOf(link)) as { transcript: Record<string, unknown>[] };
      const turn = transcript.find(({ id }) => id === said.turn_id);
      const left = await platform.database.rows(
        `select 1 from recording where turn_id = $1 and state <> 'discarded'`,
        [said.turn_id],
      );
      return (
        turn?.['answer'] === 'I have planned the work of my whole team.' &&
        turn['recording_local_path'] === null &&
        left.length === 0
      );
    });
  });

  it('waits longer for a candidate who has more time', async () => {
    const interviewId = await calls.makeInterview([{ question: 'First?' }], {
      interview_template_id: platformTemplateIds.interactive_avatar_1,
    });
    const link = await calls.beginAt(interviewId);
    await platform.database.rows('update enrolment set time_factor = 2 where id = $1', [link.enrolmentId]);
    const page = await pages.open(link);
    await page.listen();
    await page.say('I have planned the work of my whole team.');
    // With the pause that it takes to be heard, others have finished after 1.9 seconds.
    page.pause(1_500);
    page.speak('And I have led it.');
    page.pause(600);
    expect((await page.next('caption')).text).toBe(
      'I have planned the work of my whole team. And I have led it.',
    );
    expect([page.has('answered'), page.has('send_recording')]).toEqual([false, false]);
  });
});
