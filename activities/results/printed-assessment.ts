import { z } from 'zod';
import { readable, readableOrNull } from './printed-questions';

type Claim = { text: string; quote: string | null };

export type PrintedAssessment = {
  is_empty: boolean;
  key_statement: string | null;
  paragraphs: string[];
  strengths: Claim[];
  concerns: Claim[];
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
  })
  .catch({});
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
export function printAssessment(result: {
  ai_analysis_recruiter: string | null;
  ai_analysis_other: unknown;
  recruiter_risks: unknown;
}): PrintedAssessment {
  const { strengths_concerns, hiring_reasons, evidence, key_statement } = analyses.parse(
    result.ai_analysis_other,
  );
  const claims = (entries: unknown[] | undefined, quotes: unknown[] | undefined): Claim[] =>
    (entries ?? []).slice(0, maxClaims).flatMap((text, at) =>
      typeof text === 'string' && text.trim() !== ''
        ? [
            {
              text: readable(text, maxClaim),
              quote: readableOrNull(quoteOf.safeParse(quotes?.[at]).data ?? null, maxClaim),
            },
          ]
        : [],
    );
  const analysis = readableOrNull(result.ai_analysis_recruiter, maxAnalysis);
  const printed = {
    key_statement: readableOrNull(key_statement?.quote ?? null, maxClaim),
    paragraphs: analysis === null ? [] : analysis.split(/\n{2,}/),
    strengths: claims(strengths_concerns?.strengths ?? hiring_reasons?.reasons_to_hire, evidence?.strengths),
    concerns: claims(strengths_concerns?.concerns ?? hiring_reasons?.reasons_not_to_hire, evidence?.concerns),
    risks: riskList
      .parse(result.recruiter_risks)
      .slice(0, maxClaims)
      .flatMap((risk) => (risk ? [readable(risk.note || risk.key.replaceAll('_', ' '), maxClaim)] : [])),
  };
  const { key_statement: statement, paragraphs, strengths, concerns, risks } = printed;
  const is_empty =
    statement === null && [paragraphs, strengths, concerns, risks].every((each) => each.length === 0);
  return { is_empty, ...printed };
}
