import { z } from 'zod';
import type { AttemptRow } from '../../db/taking/attempts';
import { storedRubric } from '../interviews/public';
import { namedEnum, resultView } from '../platform/operation/named-enums';
import { asStored, languageCode, timestamp } from '../platform/operation/vocabulary';
import { judgedCriterion, takeaways } from '../results/public';

const turnKind = namedEnum(
  'TurnKind',
  ['welcome', 'instructional_video', 'introduction', 'question', 'conditional', 'follow_up', 'candidate_asks', 'thank_you'],
  'What the candidate sees.',
  {
    welcome: 'The words before the first question.',
    instructional_video: 'An introduction. `text` is what is said, or the https address of an mp4 or webm file to play.',
    introduction: 'The candidate introduces themselves in a video. `text` is empty.',
    question: 'A question of the interview, or a line of the person whom the AI plays.',
    conditional: 'A question that depends on the answer before it.',
    follow_up: 'A question about the answer before it, or a reaction to it.',
    candidate_asks: 'The candidate may ask a question. `text` has the reply to the one before.',
    thank_you: 'The words after the last question.',
  },
); // prettier-ignore

const answerMode = namedEnum('AnswerMode', ['none', 'text', 'choice', 'voice', 'video'], 'How a turn is answered.', {
  none: 'Not at all. Send `seen` to go on.',
  text: 'With text.',
  choice: 'With one of `choices`.',
  voice: 'With an audio recording, or with text.',
  video: 'With a video recording. If `may_type` is true, also with an audio recording or with text.',
}); // prettier-ignore

const attemptState = namedEnum('AttemptState', ['running', 'collected', 'submitted', 'closed'], 'How far the attempt is.', {
  running: 'Turns can be answered until `deadline_at`.',
  collected: 'All answers are stored. The candidate can review, edit and submit them.',
  submitted: 'The recruiter has the answers.',
  closed: 'The attempt ended without a result. `closed_reason` says why.',
}); // prettier-ignore

const turn = z
  .object({
    turn_id: z.string().meta({ description: 'Id of the turn, for `turn-answer`.' }),
    kind: turnKind,
    speaker: z
      .string()
      .optional()
      .meta({ description: 'The person whom the AI plays, if that person says the text. Else omitted.' }),
    text: z.string().meta({ description: 'The question, or the words of another turn.' }),
    choices: z.array(z.string()).optional().meta({
      description: 'The options of a multiple choice, in their order. Omitted if the turn has none.',
    }),
    has_speech: z.boolean().meta({ description: 'True if the text can be listened to.' }),
    answer: z
      .object({
        mode: answerMode,
        required: z.boolean().meta({ description: 'False if the turn can be skipped with `seen`.' }),
        may_type: z.boolean().meta({
          description:
            'True if the turn takes `text`. False for a required video, unless the recruiter lets the candidate type.',
        }),
        kept_as: z.enum(['audio', 'video']).nullable().meta({
          description:
            'How the recording of the answer is kept. Null if none is: a recording then serves the transcript only, and is deleted after it or after one hour.',
        }),
        max_seconds: z
          .int()
          .nullable()
          .meta({ description: 'The longest recording, in seconds. Null if the turn is not recorded.' }),
      })
      .meta({ description: 'The answer that the turn takes.' }),
    number: z.int().meta({
      description:
        'The number of the question, from 1. A follow-up has the number of its question, and the welcome 0.',
    }),
    of: z.int().meta({ description: 'How many questions there are.' }),
  })
  .meta({ id: 'Turn', description: 'One thing that the candidate sees and may answer.' });

const transcriptEntry = z
  .object({
    turn_id: z.string().meta({ description: 'Id of the turn, for `transcript-edit`.' }),
    speaker: z.string().optional().meta({
      description: 'The person whom the AI played, if that person said the question. Else omitted.',
    }),
    question: z.string().meta({ description: 'The question as it was asked.' }),
    answer: z.string().nullable().meta({
      description: 'The answer. Null if there is none, or not yet: a recording is being transcribed.',
    }),
    answer_original: z
      .string()
      .optional()
      .meta({ description: 'The answer before it was edited. Omitted if it was not.' }),
    editable: z.boolean().meta({ description: 'True if `transcript-edit` can change the answer.' }),
  })
  .meta({ id: 'TranscriptEntry', description: 'A question with its answer.' });

const shownPassage = z
  .object({
    turn_id: z.string().meta({ description: 'Id of the turn in whose answer the passage stands.' }),
    quote: z.string().nullish().meta({ description: 'The passage.' }),
    start: z
      .int()
      .nullish()
      .meta({ description: 'Where it begins in `answer` of the `transcript`, in UTF-16 units.' }),
    end: z.int().nullish().meta({ description: 'Where it ends, in UTF-16 units.' }),
  })
  .meta({ id: 'ShownPassage', description: "A passage that counted in the candidate's favor." });

const shownQuestion = z
  .object({
    turn_id: z.string().meta({ description: 'Id of the turn.' }),
    question: z.string().meta({ description: 'The question as it was asked.' }),
    ai_analysis: z
      .string()
      .nullish()
      .meta({ description: 'Feedback on the answer: what went well, each with a quote, and what to add.' }),
    is_choice: z
      .boolean()
      .optional()
      .meta({ description: 'True if the answer is an option of a multiple choice.' }),
    score: z.number().nullish().meta({ description: 'The score of the answer, 1 to 5.' }),
    passages: z
      .array(shownPassage)
      .nullish()
      .meta({ description: 'The passages that counted in its favor.' }),
    rubric: asStored(storedRubric)
      .nullish()
      .meta({ description: 'The rubric of the question. Only with a full view.' }),
    evidence: z
      .object({
        criteria: asStored(z.array(judgedCriterion)).nullish().meta({
          description: 'The criteria of the answer with their evidence. Null if it was not assessed.',
        }),
        reason: z.string().nullish().meta({
          description: 'Why the answer has no score, such as `too_little_said`. Null if it has one.',
        }),
      })
      .optional()
      .meta({ description: 'How the answer was assessed. Only with a full view.' }),
  })
  .meta({ id: 'ShownQuestion', description: 'What the candidate may know about an answer.' });

const shownResult = z
  .object({
    score: z.number().nullish().meta({ description: 'The score.' }),
    max_score: z.number().nullish().meta({ description: 'The highest possible score.' }),
    score_text: z.string().nullish().meta({ description: 'The score in words.' }),
    ai_analysis: z.string().nullish().meta({
      description: 'Feedback on the whole interview: what went well, each with a quote, and what to add.',
    }),
    takeaways: asStored(takeaways).nullish(),
    questions: z.array(shownQuestion).nullish().meta({ description: 'Feedback on each answer.' }),
  })
  .meta({ id: 'ShownResult', description: 'What `result_view` lets the candidate see.' });

/** The reply of every operation that changes or reads an attempt. */
export const attempt = z
  .object({
    result_id: z.string().meta({ description: 'Id of the result. Recruiters know it as `interview_result_id`.' }),
    attempt: z.int().meta({ description: 'The number of the attempt, from 1.' }),
    state: attemptState,
    closed_reason: z
      .string()
      .optional()
      .meta({ description: 'Why the attempt was closed, such as `abandoned`. Omitted in other states.' }),
    platform_language_code: languageCode,
    deadline_at: timestamp
      .nullable()
      .meta({ description: 'When the attempt ends. Answers that arrive 30 seconds later are still stored.' }),
    remaining_ms: z.int().meta({ description: 'Milliseconds until `deadline_at`, 0 if it has passed.' }),
    persona: z
      .object({
        name: z.string().meta({ description: 'Name.' }),
        role: z.string().meta({ description: 'Who the person is.' }),
        situation: z.string().meta({ description: 'What both sides know.' }),
      })
      .optional()
      .meta({ description: 'The person whom the AI plays in this attempt. Omitted if it plays nobody.' }),
    steps: z
      .object({
        done: z.int().meta({ description: 'Steps that the candidate has finished.' }),
        total: z.int().meta({ description: 'Steps of the interview.' }),
      })
      .meta({ description: 'The progress.' }),
    turn: turn.nullable().meta({ description: 'The turn to answer now. Null while it is being decided, and at the end.' }),
    stopped_because: z
      .enum(['enough', 'empty'])
      .nullable()
      .meta({
        description: 'Why the remaining scored questions were skipped: the answers are enough, or the last three were empty. Null if none were.',
      }),
    waiting_ms: z
      .int()
      .nullable()
      .meta({
        description: 'Call `attempt-get` after so many milliseconds, because the next turn is being decided. Else null.',
      }),
    transcript: z
      .array(transcriptEntry)
      .optional()
      .meta({ description: 'Questions and answers, for the review. Omitted while the attempt is running.' }),
    attempts_left: z
      .int()
      .nullable()
      .meta({
        description: 'How many more attempts the candidate may submit. Null if there is no limit, and while the attempt is running or collected.',
      }),
    is_restored: z.boolean().meta({
      description: 'True if a later attempt ended without being submitted, so that this one still counts.',
    }),
    result_view: resultView,
    result: shownResult.optional().meta({ description: 'Omitted before the scoring, or if `result_view` shows nothing.' }),
  })
  .meta({ id: 'Attempt', description: 'An attempt as its candidate sees it.' }); // prettier-ignore

export type Attempt = z.input<typeof attempt>;

/** Returns the attempt as it is sent to the client, without the optional fields that are null. */
export function toAttempt(row: AttemptRow): Attempt {
  const { closed_reason, transcript, result, turn: asked, persona, video: _video, ...rest } = row;
  return {
    ...rest,
    ...(closed_reason === null ? {} : { closed_reason }),
    ...(persona === null ? {} : { persona }),
    result_view: resultView.parse(row.result_view),
    turn: asked && toTurn(asked),
    ...(transcript === null ? {} : { transcript: transcript.map(toEntry) }),
    ...(result === null ? {} : { result }),
  };
}

const toTurn = ({ choices, speaker, ...rest }: NonNullable<AttemptRow['turn']>): z.input<typeof turn> => ({
  ...rest,
  ...(speaker === null ? {} : { speaker }),
  ...(choices === null ? {} : { choices }),
});

const toEntry = ({
  answer_original,
  speaker,
  ...rest
}: NonNullable<AttemptRow['transcript']>[number]): z.input<typeof transcriptEntry> => ({
  ...rest,
  ...(speaker === null ? {} : { speaker }),
  ...(answer_original === null ? {} : { answer_original }),
});

export const attemptExample: Attempt = {
  result_id: '01a20b1c-7d3a-7c1e-9a55-0b1f3c2d4e5f',
  attempt: 1,
  state: 'running',
  platform_language_code: 'en',
  deadline_at: '2026-11-23T10:20:00.000Z',
  remaining_ms: 1_140_000,
  steps: { done: 1, total: 6 },
  turn: {
    turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10',
    kind: 'question',
    text: 'Which of your projects are you most proud of, and why?',
    has_speech: false,
    answer: { mode: 'voice', required: true, may_type: true, kept_as: null, max_seconds: 120 },
    number: 1,
    of: 5,
  },
  stopped_because: null,
  waiting_ms: null,
  attempts_left: null,
  is_restored: false,
  result_view: 'minimal',
};
