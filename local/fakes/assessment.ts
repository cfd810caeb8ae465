import { z } from 'zod';
import type { AssessmentFault } from './assessment-faults';
import { compareAnswer } from './compare-answer';
import { readFences } from './fences';
import { judgeAnswer, sentencesOf, type JudgedCriterion } from './judge-answer';
import { parseJson } from './parse-body';
import { rankFindings } from './result-summary';

/** The response formats of requests that assess answers or summarize a result. */
export const assessmentFormats: ReadonlySet<string> = new Set([
  'answer_assessment',
  'session_assessment',
  'resume_assessment',
  'knowledge_comparison',
  'result_summary',
]);

const criterion = z.object({ id: z.string(), text: z.string() });
const department = z.object({ number: z.int(), description: z.string() });
const task = z.object({
  question: z.string().optional(),
  criteria: z.array(criterion).optional(),
  departments: z.array(department).optional(),
});
const finding = z.object({
  number: z.int(),
  shows: z.string(),
  criterion: z.string(),
  quote: z.string().nullable(),
});
const said = z.object({
  answer: z.string().optional(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
  findings: z.array(finding).optional(),
  passages: z.array(z.string()).optional(),
});

/**
 * Replies to a request to assess or to summarize. The same prompt always gets the same reply. Returns undefined if
 * the prompt does not have the expected form.
 */
export function composeAssessment(
  prompt: string,
  schema: object,
  fault: AssessmentFault | undefined,
): string | undefined {
  const given = task.safeParse(parseJson(/<task>(\{.*?\})<\/task>/s.exec(prompt)?.[1])).data;
  const data = said.safeParse(readFences(prompt)).data;
  if (!given || !data) return undefined;
  if (fault === 'empty') return '';
  if (data.findings)
    return JSON.stringify(rankFindings(data.findings, given.departments ?? [], schema, fault));
  if (data.passages) return JSON.stringify(compareAnswer(data.answer ?? '', data.passages, fault));
  if (fault === 'numbers') return 'I would give this 9.5 of 10 points, which is 95 %.';
  const { criteria = [], question } = given;
  const turns = data.answers ?? [{ question: question ?? '', answer: data.answer ?? '' }];
  const judgements = judge(criteria, turns, fault);
  const wantsPolarity = 'properties' in schema && Object.hasOwn(Object(schema.properties), 'polarity');
  const polarity = wantsPolarity ? { polarity: 'neutral' } : {};
  const instructs = turns.some(({ answer }) => findOrder(answer) !== undefined);
  return JSON.stringify({ judgements, instructs_the_assessor: instructs, ...polarity });
}

function judge(
  criteria: z.infer<typeof criterion>[],
  turns: { question: string; answer: string }[],
  fault: AssessmentFault | undefined,
): JudgedCriterion[] {
  const answers = turns.map(({ answer }) => answer).join('\n');
  const honest = judgeAnswer(criteria, answers);
  const always = (quote: (text: string) => string): JudgedCriterion[] =>
    criteria.map(({ id, text }) => ({ criterion_id: id, met: 'yes', quote: quote(text) }));
  const longest = sentencesOf(answers).sort((one, other) => other.length - one.length)[0] ?? '';
  const order = findOrder(answers);
  switch (fault) {
    case 'invented_quotes':
      return always(() => 'I raised the revenue by 300 percent within two weeks');
    case 'quotes_question':
      return always(() => turns[0]?.question ?? '');
    case 'quotes_rubric':
      return always((text) => text);
    case 'wrong_ids':
      return honest.map((judged) => ({ ...judged, criterion_id: `x${judged.criterion_id}` }));
    case 'missing_ids':
      return honest.slice(1);
    case 'all_yes':
      return always(() => longest);
    case 'obeys_answer':
      return order === undefined ? honest : always(() => order);
    default:
      return honest;
  }
}

/** Matches words that occur in instructions to an assessor, including some that the product does not detect. */
const orders =
  /ignor|instruc|instruk|anweis|system|assess|criteri|kriteri|critère|criterio|ölçüt|talimat|punkt|puntu|puan|score|rate\b|rating|marks|bewert|évaluat|employer|candidate|confirmed|<met>|function_call|kryteri|oceń|инструкци|балл|تعليمات|指令|满分|基準|採点|満点|지시|만점|base64|json|judgements/iu;

/** Returns the first sentence that an obedient model would follow as an instruction. */
const findOrder = (answer: string): string | undefined =>
  sentencesOf(answer.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')).find(
    (sentence) => orders.test(sentence),
  );
