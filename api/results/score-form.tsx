import type { VNode } from 'preact';
import type { ScoreDecision } from '../../db/scoring/public';
import type { ApiError } from '../platform/operation/api-error';
import { HiddenFields, Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Form, TextArea, TextField } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { jobInterviewResultOverrideScore } from './job-interview-result-override-score';
import { roundedText } from './result-words';
import type { ResultDetails } from './result-words';

/**
 * What a person entered in a form for a score. `place` is the number of the answer in the transcript, or '' for the
 * score of the result.
 */
export type EnteredScore = { place: string; score: string; reason: string };
/** The forms that set scores. If one was rejected, it is shown again with what the person entered. */
export type ScoreForms = { refused: (EnteredScore & { error: ApiError }) | undefined };

/** Adds the action that sets the score of a result or of an answer, or withdraws a person's score. */
export function addScoreAction(
  site: Site,
  deps: ConsoleDeps,
  render: (
    visit: ConsoleVisit,
    id: string,
    refused: { error: ApiError; score?: EnteredScore },
  ) => Promise<Page>,
): void {
  site.post('console-result-score', '/results/:id/score', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const place = sentText(sent, 'place').replaceAll(/\D/g, '');
    const entered = {
      place,
      score: sentText(sent, `score${place}`),
      reason: sentText(sent, `reason${place}`),
    };
    const withdraws = sentText(sent, 'withdraw') === 'on';
    const { error } = await callOperation(deps, visit, jobInterviewResultOverrideScore, {
      interview_result_id: id,
      attempt: shownAttemptOf(sent),
      result_question_id: sentText(sent, 'question') || null,
      score: withdraws ? null : toScore(entered.score),
      reason: entered.reason,
    });
    // The form of another attempt is not filled with a score that was meant for this one.
    if (error) return render(visit, id, error.status === 409 ? { error } : { error, score: entered });
    return { goTo: `/results/${id}`, flash: withdraws ? 'The computed score counts again.' : 'Score set.' };
  });
}

/** Returns the attempt that the page of a form showed. */
export const shownAttemptOf = (sent: RequestData): number | undefined =>
  Number(sentText(sent, 'attempt')) || undefined;

/**
 * Converts a number that a person entered with a decimal point or comma. Other texts become NaN, which is rejected.
 */
const toScore = (text: string): number => (text === '' ? NaN : Number(text.replace(',', '.')));

/** Shows a form that sets the score of a result or of one of its answers. The form also asks for the reason. */
export function ScoreForm(props: {
  result: ResultDetails;
  forms: ScoreForms;
  /** The id of the answer, and its number in the transcript. Both are left out for the score of the result. */
  questionId?: string;
  place?: number;
  computed: number | null;
  max: number;
  decision: ScoreDecision | undefined;
}): VNode {
  const { result, forms, questionId, place = '', computed, max, decision } = props;
  const refused = forms.refused?.place === String(place) ? forms.refused : undefined;
  const [score, reason] = [`score${place}`, `reason${place}`];
  const lowest = questionId === undefined ? 0 : 1;
  return (
    <details class="filters" id={`set-score${place}`} open={refused !== undefined}>
      <summary>{decision ? 'Change score' : 'Set score'}</summary>
      <Form
        path={`/results/${result.interview_result_id}/score`}
        names={[score, reason]}
        aliases={{ score, reason }}
        error={refused?.error}
      >
        <HiddenFields
          fields={{ attempt: String(result.attempt), place: String(place), question: questionId ?? '' }}
        />
        <p class="soft">
          Computed score: {computed === null ? 'none' : `${roundedText(computed)} of ${roundedText(max)}`}
          {decision && (
            <>
              . Set by <bdi>{decision.decided_by ?? 'a person'}</bdi>: {roundedText(decision.score)}
            </>
          )}
        </p>
        <TextField
          name={score}
          label="Score"
          value={refused?.score ?? roundedText(decision?.score ?? null) ?? ''}
          hint={`From ${lowest} to ${roundedText(max)}, with at most one decimal`}
        />
        <TextArea
          name={reason}
          label="Reason"
          value={refused?.reason ?? ''}
          rows={3}
          maxlength={2_000}
          hint="Everyone who opens this page sees it. The candidate does not"
        />
        <div class="inline">
          <Submit isPlain>Set score</Submit>
          {decision && (
            <button class="plain" name="withdraw" value="on">
              Use the computed score
            </button>
          )}
        </div>
      </Form>
    </details>
  );
}
