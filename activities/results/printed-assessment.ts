import { z } from 'zod';
import type { Bracket } from '../../db/results/assessment';
import { storedDepartments } from '../../db/results/public';
import type { PrintFormat } from './printed-decision';
import { numberTurns } from './printed-questions';
import { fitForPrint, fitForPrintOrNull } from './printed-text';
import type { ResultToPrint } from './result-to-print';

type Claim = { text: string; quote: string | null };

export type PrintedAssessment = {
  is_empty: boolean;
  key_statement: string | null;
  paragraphs: string[];
  strengths: Claim[];
  concerns: Claim[];
  departments: { name: string; fit: string; bracket: Bracket; paragraphs: string[] }[];
  risks: string[];
};

const maxAnalysis = 20_000;
const maxClaim = 1_000;
const maxClaims = 20;

const list = z.array(z.unknown()).catch([]);
const quoteOf = z.union([z.string(), z.object({ quote: z.string() }).transform(({ quote }) => quote)]);
const analyses = z
  .object({
    strengths_concerns: z.object({ strengths: list, concerns: list }).optional().catch(undefined),
    hiring_reasons: z
      .object({ reasons_to_hire: list, reasons_not_to_hire: list })
      .optional()
      .catch(undefined),
    evidence: z.object({ strengths: list, concerns: list }).optional().catch(undefined),
    key_statement: z.object({ quote: z.string() }).optional().catch(undefined),
    multi_department: storedDepartments,
  })
  .catch({ multi_department: [] });
const fitBrackets = { strong: 'strong', partial: 'moderate', none: 'weak' } as const;
const riskList = z
  .array(
    z
      .object({ key: z.string(), note: z.string().nullish().catch(null) })
      .nullable()
      .catch(null),
  )
  .catch([]);

/**
 * Returns the texts of a result's assessment as the PDF prints them. The quote of a strength or concern has the same
 * index in `evidence` as its text in `strengths_concerns`.
 */
export function printAssessment(result: ResultToPrint, frame: PrintFormat): PrintedAssessment {
  const { strengths_concerns, hiring_reasons, evidence, key_statement, multi_department } = analyses.parse(
    result.ai_analysis_other,
  );
  const claims = (entries: unknown[] | undefined, quotes: unknown[] | undefined): Claim[] =>
    (entries ?? []).slice(0, maxClaims).flatMap((text, at) =>
      typeof text === 'string' && text.trim() !== ''
        ? [
            {
              text: fitForPrint(text, maxClaim),
              quote: fitForPrintOrNull(quoteOf.safeParse(quotes?.[at]).data ?? null, maxClaim),
            },
          ]
        : [],
    );
  const analysis = fitForPrintOrNull(result.ai_analysis_recruiter, maxAnalysis);
  const printed = {
    key_statement: fitForPrintOrNull(key_statement?.quote ?? null, maxClaim),
    paragraphs: analysis === null ? [] : analysis.split(/\n{2,}/),
    strengths: claims(strengths_concerns?.strengths ?? hiring_reasons?.reasons_to_hire, evidence?.strengths),
    concerns: claims(strengths_concerns?.concerns ?? hiring_reasons?.reasons_not_to_hire, evidence?.concerns),
    departments: multi_department.map(({ department, fit, text }) => ({
      name: fitForPrint(department, maxClaim),
      fit: frame.texts(`fit_${fit}`),
      bracket: fitBrackets[fit],
      paragraphs: text === null ? [] : fitForPrint(text, maxAnalysis).split('\n'),
    })),
    risks: printRisks(result, frame),
  };
  const { key_statement: statement, paragraphs, strengths, concerns, departments, risks } = printed;
  const is_empty =
    statement === null &&
    [paragraphs, strengths, concerns, departments, risks].every((each) => each.length === 0);
  return { is_empty, ...printed };
}

const foundRisks = {
  needs_review: 'risk_review',
  instructs_the_assessor: 'risk_instructions',
  edited_after: 'risk_edited',
  unavailable_transcript: 'risk_transcript',
} as const;

/** Returns the risks in the language of the document. Those that the scoring found name their questions. */
function printRisks({ recruiter_risks, transcript }: ResultToPrint, frame: PrintFormat): string[] {
  const turns = numberTurns(transcript, frame);
  const questionsOf = (key: string): string[] =>
    turns
      .filter(
        ({ assessed }) =>
          (key === 'needs_review' && assessed?.needs_review) ||
          (key === 'instructs_the_assessor' && assessed?.instructs) ||
          (key === 'unavailable_transcript' && assessed?.reason === key),
      )
      .map(({ label }) => label);
  return riskList
    .parse(recruiter_risks)
    .slice(0, maxClaims)
    .flatMap((risk) => {
      if (!risk) return [];
      const { key, note } = risk;
      if (!Object.hasOwn(foundRisks, key)) return [fitForPrint(note || key.replaceAll('_', ' '), maxClaim)];
      const labels = questionsOf(key).join(', ');
      const text = frame.texts(foundRisks[key as keyof typeof foundRisks]);
      return [labels === '' ? text : `${text} (${labels})`];
    });
}
