import { z } from 'zod';
import { choosePassages, passagesLimit } from '../platform/passages';
import { askWithRepair, describeLanguage, usageWithoutCall } from './ask';
import type { AssessingModel } from './ask';
import { createEvidenceCheck, saidNothing, makeReadable, replaceNames } from './evidence';
import { uniqueBy } from './findings';
import { foldText } from './fold';
import { knowledgeComparison } from './prompts';
import type {
  AnswerInput,
  ModelCallLimits,
  KnowledgeBaseComparison,
  KnowledgeBaseContradiction,
} from './types';

/** An answer and the text of the knowledge base of its question. */
export type ComparisonInput = Omit<AnswerInput, 'rubric'> & { knowledge: string };

/** The most contradictions of an answer that are listed, and the most entries of a reply that are verified. */
const maxContradictions = 5;
const maxVerified = 10;

const shape = z.object({
  contradictions: z.array(z.object({ answer_quote: z.string(), knowledge_quote: z.string() })),
});
type Reply = z.infer<typeof shape>;

/**
 * Asks the model what in an answer contradicts the knowledge base, and keeps the pairs of which both passages are
 * verified: one in the answer, one in the passages of the knowledge base that the model was shown. Instructions in either
 * of them are removed before the model reads them. Scores do not depend on it. Throws ProviderError if the model is
 * unavailable.
 */
export async function compareWithKnowledge(
  model: AssessingModel,
  { question, answers, language, names, knowledge }: ComparisonInput,
  limits: ModelCallLimits,
): Promise<KnowledgeBaseComparison> {
  const said = answers.map((turn) => makeReadable(turn, names));
  const asked = replaceNames(question, names);
  const text = said
    .map(({ readable }) => readable)
    .join('\n')
    .trim();
  const passages = choosePassages(knowledge, `${asked}\n${text}`, passagesLimit.question)
    .map((passage) => makeReadable({ turn_id: null, question: '', answer: passage }, names))
    .filter((passage) => !saidNothing(passage));
  const verify = createVerifier(createEvidenceCheck(said, [], asked), createEvidenceCheck(passages, []));
  const { value, refused, usage } =
    said.every(saidNothing) || passages.length === 0
      ? { value: [], refused: null, usage: usageWithoutCall(model, knowledgeComparison) }
      : await askWithRepair<typeof shape, KnowledgeBaseContradiction[]>({
          model,
          name: 'knowledge_comparison',
          prompt: knowledgeComparison,
          shape,
          limits,
          user: knowledgeComparison.user(
            { language: describeLanguage(language), question: asked },
            text,
            passages.map(({ readable }) => readable),
          ),
          check: verify,
        });
  const { repaired: _repaired, ...facts } = usage;
  return { contradictions: (value ?? []).slice(0, maxContradictions), ...facts, refused };
}

type Check = ReturnType<typeof createEvidenceCheck>;

/** Returns the function that verifies a reply. A repaired reply adds to what the first reply proved. */
const createVerifier =
  (inAnswer: Check, inKnowledge: Check) =>
  ({ contradictions }: Reply, first: KnowledgeBaseContradiction[] = []) => {
    const verified = contradictions.slice(0, maxVerified).map(({ answer_quote, knowledge_quote }) => {
      const [{ evidence }, passage] = [inAnswer(answer_quote), inKnowledge(knowledge_quote).evidence];
      const isProven =
        evidence !== null && passage !== null && foldText(evidence.quote) !== foldText(passage.quote);
      return isProven ? { quote: evidence.quote, turn_id: evidence.turn_id, passage: passage.quote } : null;
    });
    const proven = [...first, ...verified.filter((one) => one !== null)];
    return {
      value: uniqueBy(proven, ({ quote, passage }) => JSON.stringify([quote, passage])),
      problems: verified.flatMap((one, index) =>
        one === null ? [`contradiction ${index + 1} does not quote a passage of each.`] : [],
      ),
    };
  };
