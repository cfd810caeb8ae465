import type { VNode } from 'preact';
import { recordAuditEntry } from '../../db/platform/audit';
import { stages } from '../../db/platform/vocabulary';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { grantAttempt } from '../../db/results/result-decisions';
import { findPdfTarget } from '../../db/results/result-pdf';
import { failedStatuses } from '../../db/results/vocabulary';
import { automaticPdfId } from '../../workflows/ids';
import { ApiError } from '../platform/operation/api-error';
import { uuid } from '../platform/operation/vocabulary';
import { ConfirmButton, HiddenFields, PostButton, Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { SelectField, Form, TextArea } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { sentText } from '../platform/site/site';
import type { RedirectWithMessage, RequestData, Site } from '../platform/site/site';
import { consoleWriters } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { jobInterviewResultRequestAnotherAttempt } from './job-interview-result-request-another-attempt';
import { jobInterviewResultRescore } from './job-interview-result-rescore';
import { jobInterviewResultUpdate } from './job-interview-result-update';
import type { ResultDetails } from './result-words';
import { addScoreAction, shownAttemptOf } from './score-form';
import type { EnteredScore } from './score-form';

const decisions = { advance: true, reject: false, undecided: null } as const;
const decided = {
  advance: 'Candidate advanced.',
  reject: 'Candidate rejected.',
  undecided: 'Decision cleared.',
} as const;
type Decision = keyof typeof decisions;
const isDecision = (text: string): text is Decision => Object.hasOwn(decisions, text);

type Change = Partial<{
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  stage: (typeof stages)[number] | null;
  user_feedback_recruiter: string | null;
}>;

/**
 * The error of a rejected action, and what the person entered: `note` if the action was to save a note, and `score`
 * if it was to save a score.
 */
export type RefusedAction = { error: ApiError; note?: string | undefined; score?: EnteredScore };

/** Adds the recruiter's actions on a result. Each of them calls an operation of the API. */
export function addResultActions(
  site: Site,
  deps: ConsoleDeps,
  render: (visit: ConsoleVisit, id: string, refused: RefusedAction) => Promise<Page>,
): void {
  const update = async (
    visit: ConsoleVisit,
    sent: RequestData,
    change: Change,
    flash: string,
    note?: string,
  ): Promise<Page | RedirectWithMessage> => {
    const id = sent.params['id'] ?? '';
    const { reply, error } = await callOperation(deps, visit, jobInterviewResultUpdate, {
      interview_result_id: id,
      attempt: shownAttemptOf(sent),
      ...change,
    });
    if (error) return render(visit, id, { error, note });
    return {
      goTo: `/results/${id}`,
      flash: reply.updated_fields.length > 0 ? flash : 'No changes to save.',
    };
  };

  site.post('console-result-decide', '/results/:id/decide', (visit, sent) => {
    const decision = sentText(sent, 'decision');
    if (!isDecision(decision))
      throw new ApiError(
        'invalid_value',
        `decision must be one of: ${Object.keys(decisions).join(', ')}.`,
        'decision',
      );
    const change = { recruiter_go_next_round: decisions[decision] };
    return update(visit, sent, change, decided[decision]);
  });

  site.post('console-result-shortlist', '/results/:id/shortlist', (visit, sent) => {
    const recruiter_shortlist = sentText(sent, 'shortlist') === 'on';
    const flash = recruiter_shortlist ? 'Added to shortlist.' : 'Removed from shortlist.';
    return update(visit, sent, { recruiter_shortlist }, flash);
  });

  site.post('console-result-stage', '/results/:id/stage', (visit, sent) => {
    const stage = (sentText(sent, 'stage') || null) as (typeof stages)[number] | null;
    return update(visit, sent, { stage }, stage === null ? 'Stage cleared.' : 'Stage set.');
  });

  site.post('console-result-note', '/results/:id/note', (visit, sent) => {
    const note = sentText(sent, 'note');
    return update(visit, sent, { user_feedback_recruiter: note || null }, 'Note saved.', note);
  });

  site.post('console-result-reopen', '/results/:id/reopen', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const { error } = await callOperation(deps, visit, jobInterviewResultRequestAnotherAttempt, {
      interview_result_id: id,
    });
    if (error) return render(visit, id, { error });
    const flash = 'Result reopened. A new link lets the candidate start the next attempt.';
    return { goTo: `/results/${id}`, flash };
  });

  addScoreAction(site, deps, render);

  site.post('console-result-rescore', '/results/:id/rescore', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const { error } = await callOperation(deps, visit, jobInterviewResultRescore, {
      interview_result_id: id,
    });
    if (error) return render(visit, id, { error });
    return { goTo: `/results/${id}`, flash: 'Scoring queued.' };
  });

  site.post('console-result-pdf-again', '/results/:id/pdf', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const isStarted = await deps.database.write(visit.caller(consoleWriters), async (trx) => {
      const target = uuid.safeParse(id).success && (await trx.maybeOne(findPdfTarget(id, undefined)));
      if (!target) return false;
      const { attempt, revision } = target;
      await trx.count(
        insertWorkflowStart('resultPdf', automaticPdfId(id, attempt, revision), { result_id: id, attempt }),
      );
      await trx.count(recordAuditEntry('result-pdf-create', id));
      return true;
    });
    if (!isStarted) throw new ApiError('not_found', 'There is no such result.');
    return { goTo: `/results/${id}`, flash: 'The PDF is being created.' };
  });

  site.post('console-result-grant', '/results/:id/grant', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const isGranted = await deps.database.write(visit.caller(consoleWriters), async (trx) => {
      if (!uuid.safeParse(id).success || !(await grantAttempt(trx, id))) return false;
      await trx.count(recordAuditEntry('result-attempt-grant', id));
      return true;
    });
    const flash = isGranted
      ? 'Attempt granted. The candidate can begin it with the same link.'
      : 'The candidate can begin another attempt already, or this one has not ended.';
    return { goTo: `/results/${id}`, flash };
  });
}

const stageOptions = [{ value: '', label: 'No stage' }, ...stages.map((value) => ({ value, label: value }))];

/**
 * Shows the buttons, the stage and the note of a result. Actions that are not possible in the result's state are left
 * out. `hasStage` is false for tests and learners, who have no stage.
 */
export function ResultForms(props: {
  result: ResultDetails;
  hasStage: boolean;
  refused: RefusedAction | undefined;
}): VNode {
  const { result, hasStage, refused } = props;
  const note = refused?.note;
  const { interview_result_id: id, recruiter_go_next_round: decision, recruiter_shortlist } = result;
  const attempt = String(result.attempt);
  const at = (act: string) => `/results/${id}/${act}`;
  const isSubmitted = result.result_status === 'active';
  const choice = (name: Decision, label: string) =>
    decision !== decisions[name] && (
      <PostButton
        path={at('decide')}
        label={label}
        fields={{ attempt, decision: name }}
        isPrimary={name === 'advance'}
      />
    );
  return (
    <>
      <div class="acts-row">
        {isSubmitted && [
          choice('advance', 'Advance'),
          choice('reject', 'Reject'),
          choice('undecided', 'Clear decision'),
        ]}
        <PostButton
          path={at('shortlist')}
          label={recruiter_shortlist ? 'Remove from shortlist' : 'Add to shortlist'}
          fields={{ attempt, shortlist: recruiter_shortlist ? 'off' : 'on' }}
        />
        {isSubmitted && result.processing_status === 'completed' && (
          <ConfirmButton path={at('reopen')} id="reopen" label="Reopen">
            Let the candidate retake the interview? The current decision and scores are kept as history;
            existing links stop working.
            {result.transcript.some(({ answer_mode }) => answer_mode === 'choice') &&
              ' The questions can be the same, and the candidate may have read the right options of multiple choices.'}
          </ConfirmButton>
        )}
        {isSubmitted && <PostButton path={at('rescore')} label="Score again" />}
        {!isSubmitted && failedStatuses.some((status) => status === result.status) && (
          <PostButton path={at('grant')} label="Grant another attempt" />
        )}
      </div>
      {hasStage && (
        <details class="filters" id="stage-form">
          <summary>{result.stage === null ? 'Set stage' : 'Change stage'}</summary>
          <Form path={at('stage')} names={['stage']}>
            <HiddenFields fields={{ attempt }} />
            <SelectField name="stage" label="Stage" options={stageOptions} value={result.stage ?? ''} />
            <Submit isPlain>Save stage</Submit>
          </Form>
        </details>
      )}
      <details class="filters" id="note-form" open={note !== undefined}>
        <summary>{result.user_feedback_recruiter === null ? 'Add note' : 'Edit note'}</summary>
        <Form
          path={at('note')}
          names={['note']}
          aliases={{ user_feedback_recruiter: 'note' }}
          error={note === undefined ? undefined : refused?.error}
        >
          <HiddenFields fields={{ attempt }} />
          <TextArea
            name="note"
            label="Note"
            value={note ?? result.user_feedback_recruiter ?? ''}
            rows={4}
            maxlength={10_000}
          />
          <Submit isPlain>Save note</Submit>
        </Form>
      </details>
    </>
  );
}
