import { fixedId } from './fixed-id';
import { recordedResultId, recordingPaths } from './recordings';
import type { TakenInterview } from './taken';

/** A step of an interview. Lists of steps are in the order of the interview. */
export type InterviewStep = {
  interview_id: string;
  id: string;
  view: string;
  question: string;
  is_candidate_asking_recruiter: boolean;
};

type Spoken = TakenInterview & { result_id: string; isScored: boolean };

/** Returns the transcript of an attempt, or only its beginning when the attempt was not finished. */
export function transcriptOf(spoken: Spoken, steps: InterviewStep[]) {
  const { fate } = spoken;
  const reached = fate === 'started' || fate === 'failed' ? steps.slice(0, 2) : steps;
  return reached.map((step, place) => interactionOf(spoken, step, place));
}

function interactionOf({ result_id, index, takenAt, isScored }: Spoken, step: InterviewStep, place: number) {
  const view = viewOf(step);
  const isAnswer = view === 'with listening' || view === 'candidate asking recruiter';
  const isJudged = isScored && view === 'with listening';
  const score = 2 + ((index + place * 3) % 7) / 2;
  const isRecorded = result_id === recordedResultId && place === 1;
  return {
    id: fixedId(`interaction ${result_id} ${place}`),
    result_id,
    attempt: 1,
    step_order: place + 1,
    is_answer: isAnswer,
    view,
    question_original_id: step.id,
    question_original: step.question,
    question_asked: step.question,
    answer: isAnswer ? (answers[(index + place) % answers.length] ?? '') : null,
    ai_analysis: isJudged ? 'Clear. A figure would make it stronger.' : null,
    ai_analysis_recruiter: isJudged ? 'Answers the question with one example.' : null,
    score: isJudged ? score : null,
    score_answer_ai: isJudged ? score : null,
    duration: isAnswer ? 450 + ((index + place) % 6) * 100 : 80,
    platform_language_code: 'en',
    recording_local_path: isRecorded ? recordingPaths.firstAnswer : null,
    recording_is_video: isRecorded ? false : null,
    created_at: new Date(takenAt + place * 60_000).toISOString(),
  };
}

function viewOf({ view, is_candidate_asking_recruiter }: InterviewStep): string {
  if (view !== 'question') return view.replaceAll('_', ' ');
  return is_candidate_asking_recruiter ? 'candidate asking recruiter' : 'with listening';
}

const answers = [
  'In my last team we split the import in two, measured both halves for a week, and kept the one that halved the errors.',
  'I would first ask who is affected, then write down what we know, and only then change anything.',
  'It went wrong at first: I had not told the night shift. Since then I end every change with a short note to all shifts.',
  'Mostly by listening. When two colleagues disagreed I let each of them tell the other one’s view until both nodded.',
  'We had a customer who called every day. I visited, saw how they worked, and found that one screen caused it all.',
];
