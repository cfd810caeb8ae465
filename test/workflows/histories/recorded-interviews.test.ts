import { interviewAttemptId } from '../../../workflows/ids';
import { startAttemptWorld } from '../../activities/taking/attempt-world';
import type { AttemptWorld } from '../../activities/taking/attempt-world';
import { quietRuntime, startTestWorker } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';
import { expectRecorded, findUncompared, isWaiting, statusAtEnd } from '../compare-history';

/**
 * Questions and answers in these tests contain these words, and no history may contain them. The histories are
 * compared as recorded-histories.test.ts does. To record new ones: RECORD_HISTORIES=1 npx jest
 * test/workflows/histories.test.ts
 */
const words = 'Confidential-Quetzal';

let world: AttemptWorld;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  world = await startAttemptWorld();
  worker = await startTestWorker(world.activities, { isLive: true });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
});

describe('interviewAttempt', () => {
  /**
   * Begins an attempt and its workflow. The template has no speech, because rendering speech at the same time as
   * other activities would change the order of the events.
   */
  async function begin(changes: Record<string, unknown> = {}) {
    const begun = await world.beginInterview([{ question: words }], {
      interview_template_id: '0198a000-0000-7000-8000-000000000003',
      ...changes,
    });
    const handle = await worker.startAttempt(begun.result_id, begun.attempt);
    await waitFor('its wait', () => isWaiting(handle));
    return { ...begun, handle };
  }
  it('is recorded: follow-up', async () => {
    const { link, result_id, attempt, handle } = await begin();
    const { turn_id } = await world.type(link, words);
    expect(await handle.executeUpdate('nextTurn', { updateId: turn_id, args: [{ turn_id }] })).toBe(
      'follow_up',
    );
    await waitFor('its next wait', () => isWaiting(handle));
    // The last answer needs no decision, so the workflow gets no update about this answer.
    await world.type(link, words);
    await handle.signal('speechMissing');
    expect(await statusAtEnd(handle)).toBe('COMPLETED');
    expect(handle.workflowId).toBe(interviewAttemptId(result_id, attempt));
    await expectRecorded('interview-attempt/follow-up.json', handle, result_id, { inAnyOrder: true });
  });

  it('is recorded: spoken', async () => {
    const { link, result_id, handle } = await begin({ recording: 'audio_all', max_followups: 0 });
    const { turn_id } = await world.say(link, words);
    expect(await handle.executeUpdate('nextTurn', { updateId: turn_id, args: [{ turn_id }] })).toBe(
      'planned',
    );
    expect(await statusAtEnd(handle)).toBe('COMPLETED');
    await expectRecorded('interview-attempt/spoken.json', handle, result_id, { inAnyOrder: true });
  });
});

describe('interviewSpeech', () => {
  it('is recorded: rendered', async () => {
    await world.beginInterview([{ question: `${words} and speech` }]);
    const [interview] = await world.database.rows<{ id: string }>(
      `select l.interview_id as id from interview_question l join question q on q.id = l.question_id where q.question = $1`,
      [`${words} and speech`],
    );
    const handle = await worker.startSpeech(interview?.id ?? '');
    expect(await statusAtEnd(handle)).toBe('COMPLETED');
    await expectRecorded('interview-speech/rendered.json', handle, interview?.id ?? '');
  });
});

describe('the recorded histories of interviews', () => {
  it('are all compared by the tests above', () => {
    expect(findUncompared((file) => /^interview-(attempt|speech)\//.test(file))).toEqual([]);
  });
});
