import { ApplicationFailure } from '@temporalio/activity';
import type { SpeechReport } from '../../../activities/taking/speak';
import { listTurnsToSpeak, sharedSpeechPath, speechPathOf } from '../../../db/taking/speech';
import { findSpokenText } from '../../../local/fakes/speech-file';
import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { mediaFile } from '../../harness/taking/media-file';
import { waitFor } from '../../harness/wait-for';
import { startAttemptWorld } from './attempt-world';
import type { AttemptWorld } from './attempt-world';

let world: AttemptWorld;
beforeAll(async () => {
  world = await startAttemptWorld();
});
afterEach(() => world.clearFaults());

const transcribe = (turn_id: string, within_ms = 5_000) =>
  activityEnvironment().run(world.activities.transcribeAnswer, { turn_id, within_ms }) as Promise<void>;
const speak = (of: { result_id: string; attempt: number }, turn_id: string | null = null) =>
  activityEnvironment().run(world.activities.speakTurns, { ...of, turn_id }) as Promise<SpeechReport>;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const row = async (turnId: string) =>
  (await world.database.rows('select * from result_question where id = $1', [turnId]))[0];
const read = async (path: string) => {
  const opened = await world.objects.get(path);
  if (!opened) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of opened.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
const questions = [{ question: 'One?' }, { question: 'Two?' }, { question: 'Three?' }, { question: 'Four?' }];

describe('transcribeAnswer', () => {
  it('stores what is said in the recording, once', async () => {
    const { link, result_id } = await world.beginInterview(questions);
    const { turn_id } = await world.say(link, 'I planned it.');
    await transcribe(turn_id);
    await transcribe(turn_id);
    expect(await row(turn_id)).toMatchObject({ answer: 'I planned it.', transcript_status: 'done' });
    expect(await world.modelCalls(result_id)).toMatchObject([
      { purpose: 'transcription', outcome: 'accepted' },
    ]);
  });

  it('stores silence as an empty text', async () => {
    const { link } = await world.beginInterview(questions);
    const { turn_id } = await world.say(link, ' … ');
    await transcribe(turn_id);
    expect(await row(turn_id)).toMatchObject({ answer: '', transcript_status: 'done' });
  });

  it('waits for the recording to be joined, and is woken by that', async () => {
    const { link } = await world.beginInterview(questions);
    const { turn_id, recording } = await world.say(link, 'Hello.', 'completed');
    // Without the fake timer, the activity would also look by itself after a second.
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    const done = transcribe(turn_id);
    await waitFor('the wait', async () => world.joinedTurns.listenerCount(turn_id) > 0);
    await world.change(`update recording set state = 'stored' where id = $1`, recording);
    // The activity may have looked before the update, and listens again after each event.
    const rings = setInterval(() => world.joinedTurns.emit(turn_id), 10);
    await done;
    clearInterval(rings);
    timeout.mockRestore();
    expect(await row(turn_id)).toMatchObject({ answer: 'Hello.', transcript_status: 'done' });
  });

  it('is retried while the provider is away or the recording cannot be joined', async () => {
    const { link } = await world.beginInterview(questions);
    await world.fault({ call: 'transcription', status: 503 });
    const { turn_id, recording } = await world.say(link, 'Hello.', 'completed');
    expect(await failureOf(transcribe(turn_id))).toMatchObject({
      type: 'RecordingNotJoined',
      nonRetryable: false,
    });
    await world.change(`update recording set state = 'stored' where id = $1`, recording);
    const failure = await failureOf(transcribe(turn_id));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    await transcribe(turn_id);
    expect(await row(turn_id)).toMatchObject({ answer: 'Hello.' });
  });

  it('sends only the sound of a video, so that more than 25 MiB can be transcribed', async () => {
    const { link } = await world.beginInterview(questions);
    const file = await mediaFile('webm', 140_000, { text: 'I built it.', hasPicture: true });
    expect(file.length).toBeGreaterThan(25 * 1_048_576);
    const { turn_id } = await world.say(link, '', 'stored', { file, mediaType: 'video/webm' });
    await transcribe(turn_id);
    expect(await row(turn_id)).toMatchObject({ answer: 'I built it.', transcript_status: 'done' });
  });

  it.each([
    ['before', 10_000, true],
    ['after', 20_000, false],
  ])('hears what is said %s the limit of the turn and five seconds', async (_, textAtMs, isHeard) => {
    const { link } = await world.beginInterview(questions);
    const file = await mediaFile('webm', 30_000, { text: 'I built it.', textAtMs });
    const { turn_id } = await world.say(link, '', 'stored', { file, ms: 30_000 });
    await world.change('update result_question set max_seconds = 10 where id = $1', turn_id);
    await transcribe(turn_id);
    const { answer } = (await row(turn_id)) as { answer: string };
    expect([answer === 'I built it.', answer.length > 0]).toEqual([isHeard, true]);
  });

  it('marks a recording over 25 MiB that cannot be read', async () => {
    const { link } = await world.beginInterview(questions);
    const file = Buffer.alloc(26 * 1_048_576);
    const { turn_id } = await world.say(link, '', 'stored', { file, mediaType: 'video/webm' });
    await transcribe(turn_id);
    expect(await row(turn_id)).toMatchObject({ answer: null, transcript_status: 'failed' });
  });

  it('marks an answer that can never be transcribed', async () => {
    const { link } = await world.beginInterview(questions);
    const missing = await world.say(link, 'Gone.');
    await world.objects.delete(missing.path);
    await transcribe(missing.turn_id);
    expect(await row(missing.turn_id)).toMatchObject({ answer: null, transcript_status: 'failed' });
  });
});

describe('speakTurns', () => {
  it('renders the open turn and the next two, once', async () => {
    const begun = await world.beginInterview(questions);
    expect(await speak(begun)).toEqual({ rendered: 3, failed: 0 });
    expect(await speak(begun)).toEqual({ rendered: 0, failed: 0 });
    const spoken = { template_type: 'interactive_voice', conversation_speed: null, language: 'en' as const };
    const texts = await Promise.all(
      ['One?', 'Two?', 'Three?', 'Four?'].map((text) => read(sharedSpeechPath({ ...spoken, text }))),
    );
    expect(texts.map((file) => file && findSpokenText(file))).toEqual(['One?', 'Two?', 'Three?', undefined]);
    expect(await world.modelCalls(begun.result_id)).toMatchObject(
      ['One?', 'Two?', 'Three?'].map(() => ({ purpose: 'speech' })),
    );
  });

  it('keeps the speech of a follow-up with its attempt', async () => {
    const begun = await world.beginInterview([{ question: 'Five?' }]);
    const { turn_id } = await world.type(begun.link, 'Short.');
    await activityEnvironment().run(world.activities.decideNextTurn, { turn_id, within_ms: 9_000 });
    const followUp = await world.openTurnOf(begun.link);
    expect(await speak(begun, followUp.turn_id)).toEqual({ rendered: 1, failed: 0 });
    const [turn] = await world.worker.writeAsWorker((trx) =>
      trx.rows(listTurnsToSpeak(begun.result_id, begun.attempt, followUp.turn_id)),
    );
    const path = turn && speechPathOf(turn);
    expect(path).toContain(`/${begun.result_id}/1/speech-${followUp.turn_id}.mp3`);
    expect(findSpokenText((await read(path ?? '')) ?? Buffer.alloc(0))).toBe(followUp.text);
  });

  it('renders nothing for a template that does not speak', async () => {
    const begun = await world.beginInterview(questions, {
      interview_template_id: '0198a000-0000-7000-8000-000000000003',
    });
    expect(await speak(begun)).toEqual({ rendered: 0, failed: 0 });
  });

  it('counts a text that the provider rejects, and is retried while it is away', async () => {
    const begun = await world.beginInterview([{ question: 'Six?' }]);
    await world.fault({ call: 'speech', status: 400 });
    expect(await speak(begun)).toMatchObject({ failed: 1 });
    await world.fault({ call: 'speech', malformed: true });
    expect(await failureOf(speak(begun))).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(await speak(begun)).toMatchObject({ rendered: 1 });
  });
});

describe('speakInterview', () => {
  it('renders all texts of an active interview, as its workflow is told to when it is activated', async () => {
    const { link } = await world
      .beginInterview([{ question: 'Seven?' }, { question: 'Eight?' }], { status: 'draft' })
      .catch(() => ({ link: undefined }));
    expect(link).toBeUndefined();
    const [interview] = await world.database.rows<{ id: string }>(
      `select i.id from interview i join interview_question l on l.interview_id = i.id join question q on q.id = l.question_id
       where q.question = 'Seven?'`,
    );
    const id = interview?.id ?? '';
    const starts = () =>
      world.database.rows(
        `select argument from workflow_start where workflow_id like 'interview-speech/' || $1 || '/%'`,
        [id],
      );
    expect(await starts()).toEqual([]);
    await world.change(`update interview set status = 'active' where id = $1`, id);
    expect(await starts()).toEqual([{ argument: { interview_id: id } }]);
    await world.change(`update interview set name = 'Other' where id = $1`, id);
    expect(await starts()).toHaveLength(1);
    const run = () => activityEnvironment().run(world.activities.speakInterview, { interview_id: id });
    // The speech of the welcome exists already: other tests have rendered it, and all candidates share the file.
    const report = (await run()) as SpeechReport;
    expect(report.rendered).toBeGreaterThanOrEqual(2);
    expect(await run()).toEqual({ rendered: 0, failed: 0 });
  });
});
