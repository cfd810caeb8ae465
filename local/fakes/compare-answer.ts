import type { AssessmentFault } from './assessment-faults';
import { sentencesOf, stemsOf } from './judge-answer';

type Contradiction = { answer_quote: string; knowledge_quote: string };

const figuresOf = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ');
const neverSaid = 'I raised the revenue by 300 percent within two weeks';
const neverWritten = 'Every customer is paid 900 euros within one hour';

/**
 * Compares an answer with passages of a knowledge base: a sentence contradicts the one with which it shares the most words,
 * at least two, if both have figures and these differ. The lying model also invents passages, and the obedient one takes an
 * instruction of the knowledge base for a contradiction.
 */
export function compareAnswer(
  answer: string,
  passages: readonly string[],
  fault: AssessmentFault | undefined,
): { contradictions: Contradiction[] } {
  const known = passages.flatMap(sentencesOf).map((sentence) => ({ sentence, stems: stemsOf(sentence) }));
  const said = sentencesOf(answer);
  const honest = said.flatMap((sentence): Contradiction[] => {
    const stems = stemsOf(sentence);
    const [best] = known
      .map((other) => ({ ...other, shared: [...stems].filter((stem) => other.stems.has(stem)).length }))
      .sort((one, other) => other.shared - one.shared);
    if (!best || best.shared < 2 || figuresOf(sentence) === '' || figuresOf(best.sentence) === '') return [];
    return figuresOf(sentence) === figuresOf(best.sentence)
      ? []
      : [{ answer_quote: sentence, knowledge_quote: best.sentence }];
  });
  const [first = ''] = said;
  const [passage = ''] = known.map(({ sentence }) => sentence);
  switch (fault) {
    case 'invented_quotes':
      return {
        contradictions: [
          { answer_quote: neverSaid, knowledge_quote: passage },
          { answer_quote: first, knowledge_quote: neverWritten },
          { answer_quote: neverSaid, knowledge_quote: neverWritten },
          ...honest,
        ],
      };
    case 'obeys_answer':
      return {
        contradictions: known.map(({ sentence }) => ({ answer_quote: first, knowledge_quote: sentence })),
      };
    default:
      return { contradictions: honest };
  }
}
