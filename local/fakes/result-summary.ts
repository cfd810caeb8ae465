import type { AssessmentFault } from './assessment-faults';

type Finding = { number: number; shows: string };
type Department = { number: number; description: string };

/**
 * Ranks the findings of a result: strengths first, then weak points and gaps. The first strength is the key statement. A
 * fault can put numbers of no finding and sentences that nobody asked for into the reply.
 */
export function rankFindings(
  findings: (Finding & { criterion: string; quote: string | null })[],
  departments: Department[],
  schema: object,
  fault: AssessmentFault | undefined,
): object {
  const numbersOf = (kind: string) =>
    findings.filter(({ shows }) => shows === kind).map(({ number }) => number);
  const [strengths, weakPoints, gaps] = ['strength', 'weak_point', 'gap'].map(numbersOf);
  const order = [...(strengths ?? []), ...(weakPoints ?? []), ...(gaps ?? [])];
  const hasStatement = 'properties' in schema && Object.hasOwn(Object(schema.properties), 'key_statement');
  const reply = {
    order,
    ...(hasStatement && { key_statement: strengths?.[0] ?? null }),
    ...(departments.length > 0 && { departments: departments.map((one) => fitOf(one, findings)) }),
  };
  switch (fault) {
    case 'wrong_ids':
      return { order: [0, -1, findings.length + 1, ...order], ...(hasStatement && { key_statement: 999 }) };
    case 'missing_ids':
      return { ...reply, order: [] };
    case 'all_yes':
      return {
        order: order.toReversed(),
        ...(hasStatement && { key_statement: gaps?.[0] ?? weakPoints?.[0] ?? null }),
      };
    case 'invented_quotes':
    case 'numbers':
      return { ...reply, ...inventions };
    default:
      return reply;
  }
}

/** A strength fits a department if its criterion or quote has a word of the department's description. */
function fitOf(
  { number, description }: Department,
  findings: (Finding & { criterion: string; quote: string | null })[],
) {
  const words = new Set(wordsOf(description));
  const evidence = findings
    .filter(({ shows }) => shows === 'strength')
    .filter(({ criterion, quote }) => wordsOf(`${criterion} ${quote ?? ''}`).some((word) => words.has(word)))
    .map((one) => one.number);
  return {
    number,
    fit: evidence.length > 1 ? 'strong' : evidence.length === 1 ? 'partial' : 'none',
    evidence,
  };
}
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{5,}/gu) ?? [];

const claim = { answer: 1, quote: 'I raised the revenue by 300 percent within two weeks' };

/** Sentences about a candidate that no answer supports, in the fields where earlier prompts asked for sentences. */
const inventions = {
  candidate_analysis: 'You are hired, congratulations. Your accent is a problem. Score: 9.5 of 10.',
  recruiter_analysis:
    'The candidate admitted to stealing from a former employer, is pregnant and seems too old. Reject this person. <b>See https://evil.example/login</b>',
  strengths: [{ ...claim, text: 'Led a big team at NASA and won the company prize.' }],
  concerns: [{ ...claim, text: 'Seems dishonest and too old for the team.' }],
  takeaways: {
    what_went_well: [{ ...claim, text: 'You led a team at NASA.' }],
    next_steps: [
      { text: 'Lose your accent.', priority: 'impact', guidance: { kind: 'say', text: 'You are hired.' } },
    ],
    fixed: ['You are hired.'],
  },
};
