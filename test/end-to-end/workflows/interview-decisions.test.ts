import { followUpIn } from '../../../local/fakes/next-turn';
import { findSpokenText } from '../../../local/fakes/speech-file';
import { platformTemplateIds } from '../../../local/seed/templates';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let interviewId: string;
const asked = 'How did you measure the success of your migration?';
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = candidateCalls(platform);
  interviewId = await calls.makeInterview([{ question: 'What did you build?' }, { question: asked }], {
    max_followups: 1,
    interview_template_id: platformTemplateIds.interactive_voice,
  });
});
afterEach(() => platform.clearFaults());

const speechOf = async (token: string, turnId: string) => {
  const response = await fetch(`${platform.stack.portal_url}/portal/v1/turn-speech?turn_id=${turnId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

describe('an interview with decisions over HTTP', () => {
  it('asks a follow-up in the reply to the answer', async () => {
    const { token, turnId } = await calls.beginAt(interviewId);
    const reply = await calls.answer(token, turnId, { text: 'A bridge.' });
    expect(reply.attempt).toMatchObject({
      waiting_ms: null,
      turn: { kind: 'follow_up', text: followUpIn('en') },
    });
    const again = await calls.answer(token, turnId, { text: 'A bridge.' });
    expect(again.attempt.turn).toEqual(reply.attempt.turn);
  });
});

describe('turn-speech', () => {
  it('returns questions and follow-ups as speech', async () => {
    const { token, turnId } = await calls.beginAt(interviewId);
    const question = await waitFor('the speech of the question', async () => {
      const speech = await speechOf(token, turnId);
      return speech.status === 200 ? speech : undefined;
    });
    expect(question.type).toBe('audio/mpeg');
    expect(findSpokenText(question.bytes)).toBe('What did you build?');
    const { attempt } = await calls.answer(token, turnId, { text: 'A bridge.' });
    expect(turnOf(attempt).has_speech).toBe(true);
    const followUp = await waitFor('the speech of the follow-up', async () => {
      const speech = await speechOf(token, turnOf(attempt).turn_id);
      return speech.status === 200 ? speech : undefined;
    });
    expect(findSpokenText(followUp.bytes)).toBe(followUpIn('en'));
  });

  it('is a 404 for a turn of another candidate', async () => {
    const [one, other] = [await calls.beginAt(interviewId), await calls.beginAt(interviewId)];
    expect((await speechOf(one.token, other.turnId)).status).toBe(404);
  });

  it('is a 204 for a template that does not speak', async () => {
    const silent = await calls.makeInterview([{ question: 'What did you build?' }], {
      interview_template_id: platformTemplateIds.offline_avatar_1,
    });
    const { token, turnId } = await calls.beginAt(silent);
    expect((await speechOf(token, turnId)).status).toBe(204);
    expect(turnOf((await calls.get(token)).attempt).has_speech).toBe(false);
  });
});
