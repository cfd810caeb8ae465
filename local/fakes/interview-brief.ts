import { z } from 'zod';
import { parseBody, type ParsedBody } from './parse-body';

export const seniorities = [
  'entry-level',
  'intermediate',
  'senior',
  'managerial',
  'director',
  'executive',
] as const;
export type Seniority = (typeof seniorities)[number];

const text = z.string().nullish();
const company = z.object({ name: text, undisclosed: z.boolean().nullish() });
const persona = z.object({
  name: z.string(),
  role: z.string(),
  situation: z.string(),
  goal: z.string(),
  mood: z.string(),
  opening_line: z.string(),
});
/** The description of an interview that the product puts into its prompt. Only the name is required. */
const interviewBrief = z.object({
  name: z.string().trim().min(1),
  location: text,
  language: z.object({ code: z.string(), name: z.string() }).default({ code: 'en', name: 'English' }),
  question_count: z.int().min(1).max(200).nullish(),
  seniority_level: z.enum(seniorities).nullish().catch(null),
  given_questions: z.array(z.string()).nullish(),
  candidate_expectations: text,
  company: company.nullish(),
  enhanced_expectations: z.boolean().nullish(),
  wants_choices: z.boolean().nullish(),
  department: text,
  given_persona: persona.partial().optional(),
});
export type InterviewBrief = z.infer<typeof interviewBrief>;

/**
 * Returns the brief from the first message that contains one. When the product asks the model to repair a draft, it
 * does not send the brief again.
 */
export function findBrief(userTexts: string[]): ParsedBody<InterviewBrief> | undefined {
  for (const userText of userTexts) {
    const start = userText.indexOf('<brief>');
    const end = userText.indexOf('</brief>', start);
    if (start !== -1 && end !== -1)
      return parseBody(interviewBrief, userText.slice(start + '<brief>'.length, end));
  }
  return undefined;
}
