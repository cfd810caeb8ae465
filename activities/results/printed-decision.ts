import { oneLine } from '../../api/platform/text/one-line';
import type { Bracket } from '../../db/results/assessment';
import type { PdfActor, PdfScoreOverride } from '../../db/results/result-pdf';
import { fitForPrint, fitForPrintOrNull } from './printed-text';
import type { ResultTexts } from './result-texts';
import type { ResultToPrint } from './result-to-print';

/** What all parts of a document use: its texts, and its formats of numbers and times. */
export type PrintFormat = {
  texts: ResultTexts;
  format: (value: number) => string;
  formatTime: (instant: string) => string;
};

export type LabeledValue = { label: string; value: string };

/** Who did something, and when. The two are apart, because they can be of different directions. */
type PrintedAct = { name: string; time: string };

/** What people decided about the candidate. `acts` has the decision and the shortlist, each with who and when. */
export type PrintedDecision = {
  acts: { label: string; bracket: Bracket; by: PrintedAct | null }[];
  note: { by: PrintedAct | null; paragraphs: string[] } | null;
};

const maxName = 200;
const maxNote = 10_000;
const maxReason = 2_000;

const printAct = (act: PdfActor | undefined, frame: PrintFormat): PrintedAct | null =>
  act ? { name: actorName(act, frame), time: frame.formatTime(act.at) } : null;

/** Returns the name of who did something. */
export const actorName = ({ by }: PdfActor, { texts }: PrintFormat): string =>
  fitForPrint(oneLine(by ?? texts('someone')), maxName);

/** Returns the decision by which a person set the score of an answer or, if `questionId` is null, of the result. */
export const findScoreOverride = (
  decisions: readonly PdfScoreOverride[],
  questionId: string | null,
): PdfScoreOverride | undefined => decisions.find(({ question_id }) => question_id === questionId);

/** Returns who set a score, when and why. */
export const describeDecision = (decision: PdfScoreOverride, frame: PrintFormat): LabeledValue[] => [
  { label: frame.texts('set_by'), value: actorName(decision, frame) },
  { label: frame.texts('date'), value: frame.formatTime(decision.at) },
  { label: frame.texts('reason'), value: fitForPrint(oneLine(decision.reason), maxReason) },
];

/** Returns who set the score of the result, when and why, and the score of the AI, which counts no longer. */
export function describeOverride(
  decision: PdfScoreOverride,
  maxScore: number,
  frame: PrintFormat,
): LabeledValue[] {
  const { texts, format } = frame;
  const { score_ai } = decision;
  const value = score_ai === null ? texts('not_scored') : `${format(score_ai)} / ${format(maxScore)}`;
  return [...describeDecision(decision, frame), { label: texts('ai_score'), value }];
}

/** Returns the decision, the shortlist mark and the note, or undefined if no recruiter has set any of them. */
export function printDecision(result: ResultToPrint, frame: PrintFormat): PrintedDecision | undefined {
  const { recruiter_go_next_round, recruiter_shortlist, user_feedback_recruiter, acts } = result;
  const { texts } = frame;
  const note = fitForPrintOrNull(user_feedback_recruiter, maxNote);
  const printed: PrintedDecision = {
    acts: [
      ...(recruiter_go_next_round === null
        ? []
        : [
            {
              label: texts(recruiter_go_next_round ? 'advanced' : 'rejected'),
              bracket: recruiter_go_next_round ? ('strong' as const) : ('weak' as const),
              by: printAct(acts.recruiter_go_next_round, frame),
            },
          ]),
      ...(recruiter_shortlist
        ? [
            {
              label: texts('shortlisted'),
              bracket: 'moderate' as const,
              by: printAct(acts.recruiter_shortlist, frame),
            },
          ]
        : []),
    ],
    note:
      note === null
        ? null
        : { by: printAct(acts.user_feedback_recruiter, frame), paragraphs: note.split(/\n{2,}/) },
  };
  return printed.acts.length > 0 || printed.note ? printed : undefined;
}
