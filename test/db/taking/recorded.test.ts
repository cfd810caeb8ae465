import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { recordedThings } from '../../../api/taking/recorded-things';
import { recordings } from '../../../db/platform/vocabulary';
import { findResultDetails } from '../../../db/results/result-details';
import { askNextTurn, setTranscript } from '../../../db/taking/attempt-work';
import { editAnswer } from '../../../db/taking/attempts';
import { findLinkedInterview } from '../../../db/taking/linked-interview';
import { seenAnswer, typedAnswer } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { mediaFile } from '../../harness/taking/media-file';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import { openTurn } from './taking-world';
import type { Link } from './taking-world';

/* Tests that the page before the consent, the object store, job-interview-details and the price say the same. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const file = webm();
const questions = [
  { question: 'Unscored?', is_without_scoring: true },
  ...[1, 2, 3, 4, 5, 6].map((number) => ({ question: `Scored ${number}?` })),
];
const openOf = async (link: Link) => openTurn((await world.get(link)).attempt);

/** Uploads a recording as the page does: with a picture if the turn takes one. Returns its id. */
async function uploadFor(
  link: Link,
  subject: Parameters<RecordingWorld['create']>[1],
  hasPicture: boolean,
  bytes = file,
) {
  const mediaType = hasPicture ? 'video/webm' : 'audio/webm';
  const { recording_id: id } = await world.create(link, subject, { mediaType });
  await world.put(link, id, 1, bytes);
  await world.complete(link, id, 1);
  return id;
}

/** Answers the open question with a recording, and asks the next one. Returns the id of the turn. */
async function speak(link: Link, bytes = file) {
  const { turn_id: turnId, answer } = await openOf(link);
  const recordingId = await uploadFor(link, { kind: 'turn', turnId }, answer.mode === 'video', bytes);
  const { attempt } = await world.answer(link, turnId, {
    kind: 'recording',
    text: null,
    recordingId,
    durationMs: 5_000,
  });
  const next = askNextTurn(attempt?.result_id ?? '', 1, turnId, 'next_planned');
  await world.worker.writeAsWorker((trx) => trx.one(next));
  return { turnId, recordingId };
}
const transcribe = (turnId: string, text: string | null = 'Said.') =>
  world.worker.writeAsWorker((trx) =>
    trx.rows(setTranscript(turnId, text, text === null ? 'failed' : 'done')),
  );
/** Returns the names of the files of a result. */
const filesOf = (resultId: string): string[] => {
  const folder = path.join(world.folder, world.cell.merchantId, world.cell.environment, resultId, '1');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};
const detailsOf = async (resultId: string) => {
  const [found] = await world.api.query(world.cell.user, findResultDetails(resultId, undefined));
  return found as Record<string, unknown> & { transcript: Record<string, unknown>[] };
};

const scored = questions.slice(1).map(({ question }) => question);
const all = questions.map(({ question }) => question);
type Promised = { says: string[]; price: number };
/** What each value says, keeps and adds to the price. */
const answers: Record<string, Promised & { keeps: string[]; isVideo: boolean }> = {
  none: { says: ['recorded_sound'], keeps: [], isVideo: false, price: 0 },
  audio_first_5_answers: {
    says: ['recorded_audio_first', 'recorded_rest'],
    keeps: scored.slice(0, 5),
    isVideo: false,
    price: 0.1,
  },
  audio_all: { says: ['recorded_audio_all'], keeps: all, isVideo: false, price: 0.1 },
  video_first_5_answers: {
    says: ['recorded_video_first', 'recorded_rest'],
    keeps: scored.slice(0, 5),
    isVideo: true,
    price: 0.25,
  },
  video_all: { says: ['recorded_video_all'], keeps: all, isVideo: true, price: 0.25 },
};
const sessions: Record<string, Promised & { isVideo: boolean | null }> = {
  none: { says: [], isVideo: null, price: 0 },
  audio_first_5_answers: { says: ['recorded_audio_session'], isVideo: false, price: 0.2 },
  audio_all: { says: ['recorded_audio_session'], isVideo: false, price: 0.2 },
  video_first_5_answers: { says: ['recorded_video_session'], isVideo: true, price: 0.4 },
  video_all: { says: ['recorded_video_session'], isVideo: true, price: 0.4 },
};
const values = [null, ...recordings];

describe('what is assessed', () => {
  it.each([
    ['offline_avatar_3', {}, []],
    [
      'interactive_voice',
      { ai_pronunciation: 0.1, sentiment_analysis: 0.1, speech_cadence: 0.1 },
      ['pronunciation', 'sentiment', 'cadence'],
    ],
    ['interactive_voice', { ai_pronunciation: 0, sentiment_analysis: 0, speech_cadence: 0.1 }, ['cadence']],
    ['offline_avatar_3', { ai_pronunciation: 1, sentiment_analysis: 1, speech_cadence: 1 }, ['sentiment']],
  ] as const)(
    'names what counts with the template %s and the weights %j',
    async (template, weights, assessed) => {
      const link = await world.open(questions, {
        interview_template_id: platformTemplateIds[template],
        result_scoring: JSON.stringify(weights),
      });
      expect(await world.api.query(link, findLinkedInterview)).toMatchObject([{ assessed }]);
    },
  );
});

describe('what is recorded', () => {
  // The values of answers and of the session do not influence each other, so each of them is tried once.
  it.each(values.map((recording, at) => [recording, values[(at + 2) % values.length]] as const))(
    'is what the candidate reads, what is stored, what readers get and what is paid: answers %s, session %s',
    async (recording, session) => {
      const ofAnswers = answers[recording ?? 'none'];
      const ofSession = sessions[session ?? 'none'];
      if (!ofAnswers || !ofSession) throw new Error('a value of recording is not in the table');
      const changes = {
        interview_template_id: platformTemplateIds.offline_avatar_3,
        recording,
        recording_full_session: session,
      };
      const link = await world.open(questions, changes);
      const [page] = await world.api.query(link, findLinkedInterview);
      expect(recordedThings(page ? [page.recordings] : [])).toEqual([
        ...ofAnswers.says,
        ...ofSession.says,
        'recorded_typed',
      ]);
      const [price] = await world.change(
        'select app.attempt_price($1, $2, false)::float8 as credits',
        world.cell.merchantId,
        link.interviewId,
      );
      expect(price).toEqual({ credits: expect.closeTo(0.35 + ofAnswers.price + ofSession.price) as unknown });

      const { attempt } = await world.begin(link);
      const resultId = attempt?.result_id ?? '';
      // The attempt goes on as its candidate was told.
      await world.change(
        `update interview set recording = 'video_all', recording_full_session = 'video_all' where id = $1`,
        link.interviewId,
      );
      await world.answer(link, (await openOf(link)).turn_id, seenAnswer);
      const wantsSession = uploadFor(link, { kind: 'session' }, ofSession.isVideo === true);
      if (session === null)
        await expect(wantsSession).rejects.toMatchObject({ status: 422, code: 'not_applicable' });
      const sessionId = session === null ? null : await wantsSession;
      const first = await openOf(link);
      await uploadFor(link, { kind: 'turn', turnId: first.turn_id }, first.answer.mode === 'video'); // a take that is no answer
      const given: { turnId: string; recordingId: string }[] = [];
      for (const _ of questions) given.push(await speak(link));
      await world.work();
      expect(filesOf(resultId)).toHaveLength(questions.length + (session === null ? 0 : 1));
      for (const { turnId } of given) await transcribe(turnId);
      await world.work();

      const kept = given.filter((_, at) => ofAnswers.keeps.includes(all[at] ?? ''));
      const extension = ofAnswers.isVideo ? 'webm' : 'weba';
      expect(filesOf(resultId)).toEqual(
        [
          ...kept.map(({ recordingId }) => `${recordingId}.${extension}`),
          ...(sessionId === null ? [] : [`${sessionId}.${ofSession.isVideo === true ? 'webm' : 'weba'}`]),
        ].toSorted(),
      );
      const rows = await world.change(
        `select from recording where result_id = $1 and state <> 'discarded'`,
        resultId,
      );
      expect(rows).toHaveLength(filesOf(resultId).length);
      const details = await detailsOf(resultId);
      expect([details['recording_local_path'] !== null, details['recording_is_video']]).toEqual([
        session !== null,
        ofSession.isVideo,
      ]);
      const asked = details.transcript.filter((part) => part['is_answer'] === true);
      expect(
        asked.map((part) => [part['recording_local_path'] !== null, part['recording_is_video']]),
      ).toEqual(
        all.map((question) =>
          ofAnswers.keeps.includes(question) ? [true, ofAnswers.isVideo] : [false, null],
        ),
      );
      expect(asked.map((part) => part['answer_mode'])).toEqual(
        all.map((question) => (ofAnswers.isVideo && ofAnswers.keeps.includes(question) ? 'video' : 'audio')),
      );
    },
  );

  it('counts a video without a picture as sound, and keeps what a required video said from being edited', async () => {
    const link = await world.open([{ question: 'One?' }, { question: 'Two?' }], { recording: 'video_all' });
    const { attempt } = await world.begin(link);
    const resultId = attempt?.result_id ?? '';
    await world.answer(link, (await openOf(link)).turn_id, seenAnswer);
    const { turnId } = await speak(link, await mediaFile('webm', 1_000));
    const other = await speak(link, await mediaFile('webm', 1_000, { hasPicture: true }));
    await world.work();
    expect((await world.get(link)).attempt?.transcript).toMatchObject([
      { answer: null, is_recorded: true },
      { answer: null, is_recorded: true },
    ]);
    for (const id of [turnId, other.turnId]) await transcribe(id);
    expect(await world.write(link, editAnswer(turnId, 'Typed.'))).toMatchObject({ outcome: 'not_editable' });
    const asked = (await detailsOf(resultId)).transcript.filter((part) => part['is_answer'] === true);
    expect(asked.map((part) => [part['answer_mode'], part['recording_is_video'], part['answer']])).toEqual([
      ['audio', false, 'Said.'],
      ['video', true, 'Said.'],
    ]);
  });

  it('counts answers to follow-ups, and typed ones, among the first five', async () => {
    const link = await world.open(
      scored.map((question) => ({ question })),
      { recording: 'audio_first_5_answers', max_followups: 2 },
    );
    const { attempt } = await world.begin(link);
    const resultId = attempt?.result_id ?? '';
    await world.answerOpen(link);
    const keptAs: unknown[] = [];
    for (const next of ['follow_up', 'follow_up', 'next_planned', 'next_planned', 'next_planned'] as const) {
      const { turn_id: turnId, answer } = await openOf(link);
      keptAs.push(answer.kept_as);
      await world.answer(link, turnId, typedAnswer('Typed.'));
      const chosen = next === 'follow_up' ? { kind: next, text: 'And?' } : next;
      await world.worker.writeAsWorker((trx) => trx.one(askNextTurn(resultId, 1, turnId, chosen)));
    }
    keptAs.push((await openOf(link)).answer.kept_as);
    expect(keptAs).toEqual([...Array.from({ length: 5 }, () => 'audio'), null]);
  });
});

describe('sound that serves the transcript only', () => {
  const begin = async () => {
    const link = await world.open([{ question: 'One?' }, { question: 'Two?' }]);
    const { attempt } = await world.begin(link);
    await world.answerOpen(link);
    return { link, resultId: attempt?.result_id ?? '' };
  };
  const statusOf = async (turnId: string) =>
    (await world.change('select transcript_status from result_question where id = $1', turnId))[0]?.[
      'transcript_status'
    ];
  /** Moves the times of a recording back, as if it had been completed an hour ago. */
  const makeOld = (recordingId: string) =>
    world.change(
      `update recording set completed_at = completed_at - interval '1 hour', work_at = work_at - interval '1 hour'
       where id = $1`,
      recordingId,
    );

  it('is deleted an hour after its upload, and the answer then has no transcript', async () => {
    const { link, resultId } = await begin();
    const { turnId, recordingId } = await speak(link);
    await world.work();
    await world.work();
    expect([filesOf(resultId).length, await statusOf(turnId)]).toEqual([1, 'pending']);
    await makeOld(recordingId);
    await world.work();
    expect([filesOf(resultId), await world.row(recordingId), await statusOf(turnId)]).toEqual([
      [],
      undefined,
      'failed',
    ]);
    const plan = await world.change('select lost_answers from attempt_plan where result_id = $1', resultId);
    expect(plan).toEqual([{ lost_answers: 1 }]);
  });

  it('is deleted by the next try if the worker dies, and leaves no file if it is deleted while it is joined', async () => {
    const { link, resultId } = await begin();
    const { turnId, recordingId } = await speak(link);
    let isDead = true;
    const store = {
      ...world.objects,
      put: async (...sent: Parameters<typeof world.objects.put>) => {
        await transcribe(turnId);
        await world.objects.put(...sent);
      },
      deletePrefix: async (prefix: string) => {
        if (isDead && !prefix.endsWith('-p')) throw new Error('killed');
        await world.objects.deletePrefix(prefix);
      },
    };
    await world.work(store);
    expect(await world.row(recordingId)).toMatchObject({ state: 'discarded' });
    isDead = false;
    await world.change('update recording set work_at = now() where id = $1', recordingId);
    await world.work(store);
    expect([filesOf(resultId), await world.row(recordingId)]).toEqual([[], undefined]);
  });

  it('is deleted when the attempt ends, unless it waits for its transcript', async () => {
    const { link, resultId } = await begin();
    const waiting = await speak(link);
    const { turn_id: turnId } = await openOf(link);
    const unused = await uploadFor(link, { kind: 'turn', turnId }, false);
    await world.work();
    await world.answer(link, turnId, typedAnswer('Typed instead.'));
    await world.work();
    expect([await world.row(unused), filesOf(resultId)]).toEqual([
      undefined,
      [`${waiting.recordingId}.weba`],
    ]);
    await transcribe(waiting.turnId, null);
    await world.work();
    expect(filesOf(resultId)).toEqual([]);
  });

  it('still counts in the limits of its attempt', async () => {
    const { link, resultId } = await begin();
    const { turnId } = await speak(link);
    const { turn_id: next } = await openOf(link);
    await world.change(
      'update recording set bytes = $2 where result_id = $1',
      resultId,
      2 * 200 * 1_048_576 - 100,
    );
    await transcribe(turnId);
    await world.work();
    expect(filesOf(resultId)).toEqual([]);
    expect(await world.createFor(link, next, { mediaType: 'audio/webm' })).toMatchObject({
      remaining_bytes: 100,
    });
  });
});

describe('a required video', () => {
  const begin = async (changes: Record<string, unknown>) => {
    const link = await world.open([{ question: 'One?' }], changes);
    await world.begin(link);
    await world.answerOpen(link);
    return link;
  };

  it.each([
    ['answer', { recording: 'video_all' }],
    ['introduction', { candidate_video_introduction: 'required' }],
  ])('takes text or sound for an %s only from a candidate who may type', async (what, changes) => {
    const link = await begin(changes);
    const { turn_id: turnId, answer } = await openOf(link);
    expect(answer).toMatchObject({ mode: 'video', required: true, may_type: false, kept_as: 'video' });
    expect(await world.answer(link, turnId, typedAnswer('No camera.'))).toMatchObject({ outcome: 'invalid' });
    await expect(world.createFor(link, turnId, { mediaType: 'audio/webm' })).rejects.toMatchObject({
      code: 'not_applicable',
    });
    await world.change('update enrolment set may_type = true where id = $1', link.enrolmentId);
    expect((await openOf(link)).answer).toMatchObject({ may_type: true });
    if (what === 'answer') await world.createFor(link, turnId, { mediaType: 'audio/webm' });
    expect(await world.answer(link, turnId, typedAnswer('No camera.'))).toMatchObject({ outcome: 'stored' });
  });

  it.each([
    ['an optional introduction', { candidate_video_introduction: 'optional' }, 'video'],
    ['any other answer', { recording: 'audio_all' }, 'voice'],
  ])('is no condition of %s', async (_, changes, mode) => {
    const link = await begin(changes);
    expect((await openOf(link)).answer).toMatchObject({ mode, may_type: true });
  });
});
