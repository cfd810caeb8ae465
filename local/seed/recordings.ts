import { objectPath } from '../../db/platform/object-path';
import type { ObjectStore } from '../../db/platform/object-store';
import { wavFile } from '../wav-file';
import { merchants } from './accounts';
import { fixedId } from './fixed-id';
import { introductionVideo } from './introduction-video';
import { scoredInterviews, scoredResultId } from './scored-answers';

/** The id of the seeded result (local/seed/candidates.ts) that has the recordings. It is submitted and decided. */
export const recordedResultId = fixedId('result active 0');

const pathOf = (name: string, resultId = recordedResultId) =>
  objectPath({
    merchant_id: merchants.main.id,
    environment: 'production',
    interview_result_id: resultId,
    attempt: 1,
    name,
  });

/** The paths of the recordings of the whole session, of its first answer, and of the candidate's introduction. */
export const recordingPaths = {
  session: pathOf('session.wav'),
  firstAnswer: pathOf('answer-1.wav'),
  introduction: pathOf('introduction.webm'),
};

/** The path of the recording of an answer of a scored result (local/seed/scored-results.ts), counted from 0. */
export const scoredAnswerPath = (resultId: string, answer: number): string =>
  pathOf(`answer-${answer + 1}.wav`, resultId);

/** Stores the demo's recordings, always with the same bytes, so that signed links to them can be played. */
export async function seedRecordings(objects: Pick<ObjectStore, 'put'>): Promise<void> {
  await objects.put(recordingPaths.session, tone([262, 330, 392, 523]));
  await objects.put(recordingPaths.firstAnswer, tone([392, 330, 262]));
  await objects.put(recordingPaths.introduction, await introductionVideo());
  for (const { name, answers } of scoredInterviews.flatMap(({ candidates }) => candidates))
    for (const answer of answers.keys())
      await objects.put(scoredAnswerPath(scoredResultId(name), answer), tone([330, 392, 330, 262]));
}

const samplesPerSecond = 8_000;
const samplesPerNote = samplesPerSecond / 4;
/** Returns a WAV file that plays these notes (in hertz) for a quarter of a second each. */
function tone(notes: number[]): Uint8Array {
  const samples = new Int16Array(notes.length * samplesPerNote);
  for (const [index, hertz] of notes.entries())
    for (let sample = 0; sample < samplesPerNote; sample++) {
      // The volume rises and falls with each note, so that there is no click between notes.
      const loudness = 8_000 * Math.sin((Math.PI * sample) / samplesPerNote);
      const value = loudness * Math.sin((2 * Math.PI * hertz * sample) / samplesPerSecond);
      samples[index * samplesPerNote + sample] = Math.round(value);
    }
  return wavFile(samples, samplesPerSecond);
}
