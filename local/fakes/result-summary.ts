import type { AssessmentFault } from './assessment-faults';

type Evidence = { answer: number | null; criterion: string; met: string; quote: string | null };

/**
 * Composes the summary of a result from its evidence. A criterion with a quote is a strength. A criterion without a
 * quote is a concern if another criterion has a quote from the same answer. A fault can put false quotes or scores
 * into the summary.
 */
export function composeSummary(
  type: string,
  evidence: Evidence[],
  fault: AssessmentFault | undefined,
): object {
  const proofs = evidence.flatMap(({ answer, quote, criterion }) =>
    answer === null || quote === null ? [] : [{ answer, quote, criterion }],
  );
  const lie = fault && lies[fault];
  const prove = ({ answer, quote }: { answer: number; quote: string }) => ({ answer, quote: lie ?? quote });
  const claims = unique(proofs).map((proof) => ({ text: `Shown: ${proof.criterion}`, ...prove(proof) }));
  const open = unique(
    evidence.flatMap(({ answer, criterion, quote }) => {
      const near = quote === null ? proofs.find((proof) => proof.answer === answer) : undefined;
      return near ? [{ ...near, criterion }] : [];
    }),
  );
  const [first] = claims;
  const score = fault === 'numbers' ? ' Score: 9.5 of 10.' : '';
  const gaps = open.slice(0, 2).map(({ criterion }) => criterion);
  const shown = claims.slice(0, 3).map(({ text }) => text);
  const summary = {
    strengths: claims.slice(0, 4).map((claim) => ({ ...claim, text: `${claim.text}${score}` })),
    concerns: open
      .slice(0, 2)
      .map((proof) => ({ text: `Left open: ${proof.criterion}${score}`, ...prove(proof) })),
    candidate_analysis: `${shown.join('. ')}.${gaps.length > 0 ? ` You could add: ${gaps.join('. ')}.` : ''}${score}`,
    recruiter_analysis: `${shown.join('. ')}.${gaps.length > 0 ? ` Not shown: ${gaps.join('. ')}.` : ''}${score}`,
  };
  const proof = first ? { answer: first.answer, quote: first.quote } : null;
  if (type === 'interview' || type === 'persona_interview') return { ...summary, key_statement: proof };
  if (type !== 'coaching' && type !== 'persona') return summary;
  const next_steps = gaps.map((criterion) => ({
    text: `Next time, add: ${criterion}${score}`,
    priority: 'impact',
    guidance: { kind: 'structure', text: 'Situation, action, result.' },
    proof,
  }));
  return { ...summary, takeaways: { what_went_well: summary.strengths, next_steps, fixed: [] } };
}

const lies: Partial<Record<AssessmentFault, string>> = {
  invented_quotes: 'I raised the revenue by 300 percent within two weeks',
  quotes_question: 'Tell me about yourself and your work',
};

const unique = <Entry extends { criterion: string }>(entries: Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.criterion, entry])).values(),
];
