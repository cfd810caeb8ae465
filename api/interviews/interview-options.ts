import { z } from 'zod';
import {
  freeObject,
  languageCode,
  optionalField,
  requiredName,
  requiredText,
  text,
} from '../platform/operation/vocabulary';

const weight = (part: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: `Weight of ${part} in the score, 0 to 1. 0 leaves it out.` });

const departments = z
  .array(z.looseObject({ name: requiredName(200), description: requiredText(2_000) }))
  .min(2)
  .max(10)
  .refine((all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length);

/** The context for the AI is any JSON object. Only its key `departments` has a form. */
export const additionalContext = freeObject(20_000).transform((context, check) => {
  if (context['departments'] === undefined) return context;
  const { data } = departments.safeParse(context['departments']);
  if (data) return { ...context, departments: data };
  check.addIssue({
    code: 'custom',
    path: ['departments'],
    message: 'must be a list of 2 to 10 objects with a `description` and a `name` that no other has',
    params: { code: 'invalid_value' },
  });
  return z.NEVER;
});

/**
 * The scoring options. They are merged into `result_scoring`: a create merges them over the platform's defaults, an
 * update over the stored value.
 */
export const customScoring = z
  .object({
    max_score: z
      .number()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The highest score a result can have, 1 to 100. Default 10.' }),
    early_stop: z.boolean().optional().meta({
      description:
        'True skips the remaining scored questions when three of them and half of all were answered, and the answers show every moderate and strong criterion of the session, or three in a row were empty. The attempt ends as `completed, stopped early`.',
    }),
    speech_cadence: weight('the pace of speech'),
    ai_pronunciation: weight('how well speech recognition understands the spoken answers'),
    sentiment_analysis: weight('the sentiment of the wording, from negative to positive,'),
    ai_assessment_answer: weight('the assessment of each answer'),
    ai_assessment_resume: weight('the assessment of the résumé by the rubric of the session').meta({
      description:
        'Weight of the assessment of the résumé by the rubric of the session, 0 to 1. Above 0, candidates may add a résumé when they begin. Without one, the other weights stay as they are. Not for public_avatar.',
    }),
    ai_assessment_session: weight('the assessment of the session as a whole'),
    max_retries: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'The same as `interview_attempts`, which overrides it.' }),
  })
  .meta({
    id: 'CustomScoring',
    description:
      'How results are scored. Omitted fields keep their value or, on create, get the default of the platform.',
  });

export const hiringForCompany = z
  .object({
    name: requiredText(200).meta({
      description: 'Name of the company. Use `undisclosed` if the client must not be named.',
    }),
    undisclosed: optionalField(z.boolean()).meta({
      description:
        'True excludes the name from all texts that are generated for candidates, and from the page of the job.',
    }),
    description: optionalField(text(5_000)).meta({ description: 'What the company does.' }),
    location: optionalField(text(200)).meta({ description: 'Where the company is.' }),
    sector: optionalField(text(200)).meta({ description: 'The industry of the company.' }),
    company_size: optionalField(text(200)).meta({
      description: 'The size of the company, as free text: `50 to 200 people`.',
    }),
  })
  .meta({
    id: 'HiringForCompany',
    description:
      'The company that offers the job, if it is not the merchant itself. The page of the job and the page of the link name it. Nothing else uses it for a position.',
  });

const section = (content: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `True includes ${content} in the PDF.` });

export const pdfExportAutoConfig = z
  .object({
    platform_language_code: languageCode.optional().meta({ description: 'The language of the PDF.' }),
    contact_details: section("the candidate's contact details"),
    ai_recruiter_assessment: section('the AI assessment for recruiters'),
    ai_scoring_rubric: section('the scoring rubric'),
    analytics: section('the analytics'),
    files: section('the list of the files'),
    transcript: section('the transcript'),
    answer_recording: section('links to the recordings of the answers'),
    session_recording: section('a link to the recording of the session'),
    group_by_question: z
      .boolean()
      .optional()
      .meta({ description: 'True groups the content of the PDF by question.' }),
    anonymous: z.boolean().optional().meta({
      description:
        "True leaves out the candidate's name, contact details, reference and recordings. A short id stands for the name.",
    }),
  })
  .meta({
    id: 'PdfExportAutoConfig',
    description:
      'Makes a PDF report when an interview is completed, with these sections. The event `interview_result` waits for the PDF.',
  });
