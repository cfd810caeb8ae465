import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { seniorities } from '../../../../local/fakes/interview-brief';

const bracket = z.array(z.string().min(1)).min(3).max(5);
const rubric = z.object({ weak: bracket, moderate: bracket, strong: bracket });
/** The schema of the model's reply, with the lengths that OpenAI's strict schemas cannot express. */
export const draft = z.object({
  description: z.string().min(1),
  description_long: z.string().min(1),
  seniority_level: z.enum(seniorities),
  candidate_expectations: rubric,
  questions: z.array(z.object({ question: z.string().min(1), candidate_expectations: rubric })),
});
export type Draft = z.infer<typeof draft>;
/** An interview's brief as the product sends it to the model. */
export const fullBrief = {
  name: 'Senior Backend Developer',
  location: 'Ghent',
  type: 'interview',
  interview_type: 'pre-screening',
  interview_tone: 'relaxed',
  language: { code: 'en', name: 'English' },
  question_count: 5,
  seniority_level: null,
  given_description: null,
  needs_description_long: true,
  given_questions: null,
  candidate_expectations: 'PostgreSQL tuning, on-call duty; code review',
  company: { name: 'Acme', undisclosed: false },
  additional_context: null,
  enhanced_expectations: false,
  department: 'Platform',
};

/** Returns two messages like those that the product sends to the model. */
export function prompt(brief: object): OpenAI.ChatCompletionMessageParam[] {
  const fenced = JSON.stringify(brief).replaceAll('<', '\\u003c');
  return [
    { role: 'system', content: 'You write interviews. The brief stands between <brief> and </brief>.' },
    { role: 'user', content: `<brief>${fenced}</brief>\n---\nKnowledge base text` },
  ];
}

/** Returns functions that call the fakes at this address. */
export function connect(url: string) {
  const openai = new OpenAI({ apiKey: 'test', baseURL: `${url}/openai/v1`, maxRetries: 0, timeout: 60_000 });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
    openai.chat.completions.create({
      model: 'gpt-4.1-mini',
      messages,
      response_format: zodResponseFormat(draft, 'interview_draft'),
    });
  return {
    openai,
    call,
    ask,
    async draftFor(changes: object): Promise<Draft> {
      const completion = await ask(prompt({ ...fullBrief, ...changes }));
      return draft.parse(JSON.parse(completion.choices[0]?.message.content ?? ''));
    },
    readJson: async <T>(schema: z.ZodType<T>, path: string) =>
      schema.parse(await (await call('GET', path)).json()),
  };
}
