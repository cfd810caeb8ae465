import { z } from 'zod';
import { anyJson, asStored } from '../platform/operation/vocabulary';
import { answerAssessment } from './analyses';
import { givenAnswerMode, transcriptView } from './result-enums';

const maybe = (description: string) => z.string().nullable().meta({ description });
const maybeNumber = (description: string) => z.number().nullable().meta({ description });

/** The signed address of a recording. It is present only if the call requests it. */
export const signedUrl = (recording: string, kind = 'recording') =>
  z
    .string()
    .nullable()
    .optional()
    .meta({
      description: `URL of ${recording}, valid for 15 minutes. Present with \`get_signed_recordings\`; null if there is no ${kind}.`,
    });

/** One part of a transcript. */
export const transcriptPart = z
  .object({
    id: z.string().meta({ description: 'Id of this part.' }),
    is_answer: z.boolean().meta({ description: 'True when the candidate answered.' }),
    view: transcriptView,
    question_original_id: maybe('Id of the question of the interview definition.'),
    question_original: maybe('The question as it is in the interview definition.'),
    question_asked: maybe('The question as it was asked: one of its wordings, or a follow-up.'),
    speaker: maybe(
      'The name of the person whom the AI played, who said the question. Null if the AI played nobody.',
    ),
    ai_generated: z.boolean().meta({
      description:
        'True if the AI wrote the question during the attempt: a follow-up, a reply to a question of the candidate, or a line of the person whom it plays.',
    }),
    answer: maybe("The candidate's answer."),
    answer_mode: givenAnswerMode.nullable().meta({
      description: 'How the candidate answered. Null without an answer.',
    }),
    answer_is_draft: z.boolean().meta({
      description:
        'True if `answer` is what was heard in a live conversation, because its recording was not completed or could not be transcribed.',
    }),
    ai_analysis: maybe(
      'Feedback on the answer for the candidate: what went well, each with a quote, and what to add. One sentence per line. For a multiple choice, whether it was right.',
    ),
    ai_analysis_recruiter: maybe(
      'Criteria of the answer for the recruiter, one per line: ✓ met, ✗ not met, ? unclear. The criteria of a multiple choice are options. Then what in the answer contradicts the knowledge base of its question, with both passages.',
    ),
    score: maybeNumber('Score of the answer, 1 to 5.'),
    score_simulation: maybeNumber(
      'A copy of `score_answer_ai` for persona and persona_interview. Null for other types.',
    ),
    score_answer_ai: maybeNumber('Score that the AI gave, before a person changed it, 1 to 5.'),
    score_answer_ai_simulation: maybeNumber(
      'A copy of `score_answer_ai` for persona and persona_interview. Null for other types.',
    ),
    duration: z
      .int()
      .nullable()
      .meta({ description: 'How long the answer took, in tenths of a second: 600 is one minute.' }),
    platform_language_code: maybe('The language of the answer; `br` is Brazilian Portuguese.'),
    answer_assessment_raw_data: asStored(answerAssessment)
      .nullable()
      .meta({ description: 'How the answer was assessed. Null if it was not, as without scoring.' }),
    recording_local_path: maybe('Storage path of the recording of the answer.'),
    recording_is_video: z
      .boolean()
      .nullable()
      .meta({ description: 'True if the recording of the answer has a picture.' }),
    external_data: anyJson.meta({ description: 'Your own data of the question, as it was sent.' }),
    external_id: maybe('Your own reference of the question.'),
    recording_url: signedUrl('the recording of the answer'),
  })
  .meta({ id: 'Interaction', description: 'A question and its answer, or another part of the session.' });
