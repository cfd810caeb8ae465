import { templateIds } from '../../../local/seed/templates';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';
import { outagePlatform } from './outage-platform';

let platform: Platform;
let door: Awaited<ReturnType<typeof outagePlatform>>['door'];
let calls: ReturnType<typeof candidateCalls>;
let interviewId: string;
beforeAll(async () => {
  ({ platform, door } = await outagePlatform());
  await door.open();
  if (!platform.worker) await platform.startWorker();
  calls = candidateCalls(platform);
  interviewId = await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }], {
    max_followups: 1,
    interview_template_id: templateIds.interactive_voice,
  });
});

const successorsOf = (turnId: string) =>
  platform.database.rows('select from result_question where after_turn = $1', [turnId]);
const decisionsAsked = async () =>
  ((await platform.fake('/openai/requests')) as { response_format: string | null }[]).filter(
    ({ response_format: format }) => format === 'next_turn',
  ).length;
/**
 * Answers the first question, and waits until the API has asked the model for the next turn. The fake model delays
 * its response.
 */
async function answerWhileHeld() {
  await platform.fault({ provider: 'openai', call: 'decision', ...held });
  const before = await decisionsAsked();
  const link = await calls.beginAt(interviewId);
  const answering = calls.answer(link.token, link.turnId, { text: 'A bridge.' });
  answering.catch(() => undefined);
  await waitFor('the model to be asked', async () => (await decisionsAsked()) > before);
  return { ...link, answering };
}
const nextOf = (token: string) =>
  waitFor('the next turn', async () => {
    const { attempt } = await calls.get(token);
    return attempt?.turn ? attempt : undefined;
  });

describe('an interview', () => {
  it('goes on with one turn when the worker is killed during a decision', async () => {
    const { token, turnId, answering } = await answerWhileHeld();
    await platform.worker?.kill();
    await platform.clearFaults();
    await platform.startWorker();
    expect((await answering).status).toBe(200);
    expect(turnOf(await nextOf(token)).turn_id).not.toBe(turnId);
    expect(await successorsOf(turnId)).toHaveLength(1);
  });

  it('goes on with one turn when the API is killed while it waits for a decision', async () => {
    const { token, turnId, answering } = await answerWhileHeld();
    await platform.api.kill();
    await expect(answering).rejects.toThrow();
    await platform.startApi();
    await platform.clearFaults();
    expect(turnOf(await nextOf(token))).toMatchObject({ kind: 'follow_up' });
    expect(await successorsOf(turnId)).toHaveLength(1);
  });

  it('goes on without a decision while Temporal is away', async () => {
    const { token, turnId } = await calls.beginAt(interviewId);
    await door.close();
    const { attempt } = await calls.answer(token, turnId, { text: 'A bridge.' });
    expect(turnOf(attempt)).toMatchObject({ kind: 'question', text: 'Two?' });
    await door.open();
    expect(await successorsOf(turnId)).toHaveLength(1);
  });
});
