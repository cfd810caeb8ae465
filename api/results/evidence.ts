import { findQuotePosition, readAssessment, readClaims, readCriteria } from '../../db/results/assessment';
import type { AnswerAssessment, Claim, NumberedCriterion, MarkedPassage } from '../../db/results/assessment';
import type { ResultDetails } from './result-words';

export type TranscriptEntry = ResultDetails['transcript'][number];

/**
 * A quote that the page shows twice: with the criterion or claim that it supports, and highlighted in the transcript.
 */
export type PassageMark = {
  /**
   * What the reader sees after the highlighted passage: the number of a criterion, `W1` for a criterion of the whole
   * session, `S1` for a strength, `C1` for a concern, or `K1` for the key statement.
   */
  label: string;
  /** The text for screen readers. */
  name: string;
  /** The element ids of the criterion or claim, and of the highlighted passage. */
  claimId: string;
  passageId: string;
  /**
   * The index of the transcript part whose criterion this is. Undefined for claims and for criteria of the whole
   * session, which the page shows above the transcript.
   */
  criterionOf?: number;
};

export type LinkedCriterion = NumberedCriterion & {
  mark: PassageMark;
  /** Index of the part of the transcript in which the quote was found, or undefined. */
  foundIn: number | undefined;
};
export type LinkedClaim = Claim & { mark: PassageMark; foundIn: number | undefined };
export type LinkedPart = {
  part: TranscriptEntry;
  assessed: Omit<AnswerAssessment, 'criteria'> | undefined;
  criteria: LinkedCriterion[];
  passages: MarkedPassage<PassageMark>[];
};
export type Evidence = {
  parts: LinkedPart[];
  /** The criteria of the whole session. */
  session: LinkedCriterion[];
  /** The same criteria, with quotes of the résumé. */
  resume: LinkedCriterion[];
  strengths: LinkedClaim[];
  concerns: LinkedClaim[];
  statement: LinkedClaim[];
};

/** Returns the address of an element in a part of the transcript. The part may be on another page. */
export type PartHref = (index: number, id: string) => string;

/** The element id of a part of the transcript. */
export const partElementId = (index: number): string => `part-${index + 1}`;

/**
 * Connects criteria, strengths, concerns and the key statement of a result with the passages of the transcript that
 * they quote. A quote that is not found in its part is not highlighted.
 */
export function linkEvidence(result: Pick<ResultDetails, 'transcript' | 'ai_analysis_other'>): Evidence {
  const indexes = new Map(result.transcript.map(({ id }, index) => [id, index]));
  const passages: MarkedPassage<PassageMark>[][] = result.transcript.map(() => []);
  const link = (
    quoted: Omit<MarkedPassage<PassageMark>, 'mark'>,
    index: number | undefined,
    mark: PassageMark,
  ): number | undefined => {
    const answer = index === undefined ? null : result.transcript[index]?.answer;
    if (index === undefined || !answer || !findQuotePosition(answer, quoted)) return undefined;
    passages[index]?.push({ ...quoted, mark });
    return index;
  };
  const assessed = result.transcript.map((part, index) => {
    const assessment = readAssessment(part.answer_assessment_raw_data);
    const criteria = (assessment?.criteria ?? []).map((each): LinkedCriterion => {
      const mark = {
        label: String(each.number),
        name: `Criterion ${each.number}`,
        claimId: `criterion-${index + 1}-${each.number}`,
        passageId: `passage-${index + 1}-${each.number}`,
        criterionOf: index,
      };
      const where = each.turn_id ? indexes.get(each.turn_id) : index;
      return { ...each, mark, foundIn: each.met === 'yes' ? link(each, where, mark) : undefined };
    });
    return { assessment, criteria };
  });
  const linkClaims = (claims: readonly Claim[], kind: string, name: string): LinkedClaim[] =>
    claims.map((claim, at) => {
      const id = `${name.toLowerCase().replace(' ', '-')}-${at + 1}`;
      const mark = {
        label: `${kind}${at + 1}`,
        name: `${name} ${at + 1}`,
        claimId: id,
        passageId: `passage-${id}`,
      };
      const where = claim.turn_id === null ? undefined : indexes.get(claim.turn_id);
      return { ...claim, mark, foundIn: link({ ...claim, bracket: null }, where, mark) };
    });
  const session = readCriteria(result.ai_analysis_other, 'session_criteria').map((each): LinkedCriterion => {
    const mark = {
      label: `W${each.number}`,
      name: `Criterion ${each.number} of the whole session`,
      claimId: `session-criterion-${each.number}`,
      passageId: `passage-session-${each.number}`,
    };
    const where = each.turn_id ? indexes.get(each.turn_id) : undefined;
    return { ...each, mark, foundIn: each.met === 'yes' ? link(each, where, mark) : undefined };
  });
  const resume = readCriteria(result.ai_analysis_other, 'resume_criteria').map((each): LinkedCriterion => {
    const mark = {
      label: `R${each.number}`,
      name: `Criterion ${each.number} of the résumé`,
      claimId: `resume-criterion-${each.number}`,
      passageId: `passage-resume-${each.number}`,
    };
    return { ...each, mark, foundIn: undefined };
  });
  const { strengths, concerns, statement } = readClaims(result.ai_analysis_other);
  const claims = {
    strengths: linkClaims(strengths, 'S', 'Strength'),
    concerns: linkClaims(concerns, 'C', 'Concern'),
    statement: linkClaims(statement, 'K', 'Key statement'),
  };
  return {
    ...claims,
    session,
    resume,
    parts: result.transcript.map((part, index) => {
      const { assessment, criteria = [] } = assessed[index] ?? {};
      return { part, assessed: assessment, criteria, passages: passages[index] ?? [] };
    }),
  };
}
