import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { ApiError } from '../platform/operation/api-error';
import { jobInterviewResultRequestAnotherAttempt } from './job-interview-result-request-another-attempt';
import { jobInterviewResultUpdate } from './job-interview-result-update';
import { callOperation } from '../platform/site/call-operation';
import { actButton, confirmButton, postForm } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import type { Page } from '../platform/site/layout';
import type { ResultDetails } from './result-words';
import { textOf } from '../platform/site/site';
import type { Go, Site } from '../platform/site/site';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const decisions = { advance: true, reject: false, undecided: null } as const;
const decided = {
  advance: 'The candidate advances.',
  reject: 'The candidate is rejected.',
  undecided: 'The result is undecided again.',
} as const;
type Decision = keyof typeof decisions;
const isDecision = (text: string): text is Decision => Object.hasOwn(decisions, text);

type Change = Partial<{
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  user_feedback_recruiter: string | null;
}>;

/** The error of a refused action, and the note as it was typed if the action was to save it. */
export type RefusedAct = { fault: ApiError; note?: string | undefined };

/** Adds the recruiter's actions on a result. Each one is an operation of the API. */
export function addResultActs(
  site: Site,
  deps: ConsoleDeps,
  render: (visit: Visit, id: string, refused: RefusedAct) => Promise<Page>,
): void {
  const update = async (
    visit: Visit,
    id: string,
    change: Change,
    flash: string,
    note?: string,
  ): Promise<Page | Go> => {
    const { reply, error } = await callOperation(deps, visit, jobInterviewResultUpdate, {
      interview_result_id: id,
      ...change,
    });
    if (error) return render(visit, id, { fault: error, note });
    return {
      goTo: `/results/${id}`,
      flash: reply.updated_fields.length > 0 ? flash : 'Nothing was different.',
    };
  };

  site.act('console-result-decide', '/results/:id/decide', (visit, sent) => {
    const decision = textOf(sent, 'decision');
    if (!isDecision(decision))
      throw new ApiError(422, `decision must be one of: ${Object.keys(decisions).join(', ')}`, 'decision');
    const change = { recruiter_go_next_round: decisions[decision] };
    return update(visit, sent.params['id'] ?? '', change, decided[decision]);
  });

  site.act('console-result-shortlist', '/results/:id/shortlist', (visit, sent) => {
    const recruiter_shortlist = textOf(sent, 'shortlist') === 'on';
    const flash = recruiter_shortlist ? 'It is on the shortlist.' : 'It is off the shortlist.';
    return update(visit, sent.params['id'] ?? '', { recruiter_shortlist }, flash);
  });

  site.act('console-result-note', '/results/:id/note', (visit, sent) => {
    const note = textOf(sent, 'note');
    return update(
      visit,
      sent.params['id'] ?? '',
      { user_feedback_recruiter: note || null },
      'The note is saved.',
      note,
    );
  });

  site.act('console-result-reopen', '/results/:id/reopen', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const { error } = await callOperation(deps, visit, jobInterviewResultRequestAnotherAttempt, {
      interview_result_id: id,
    });
    if (error) return render(visit, id, { fault: error });
    const flash = 'The result is reopened: a new link of the candidate leads to the next attempt.';
    return { goTo: `/results/${id}`, flash };
  });
}

/** The buttons and the note. Actions that are not possible in this state are left out. */
export function resultForms(visit: Visit, result: ResultDetails, refused?: RefusedAct): Html {
  const note = refused?.note;
  const form = formFields(['note'], note === undefined ? undefined : refused?.fault, noteNames);
  const { interview_result_id: id, recruiter_go_next_round: decision } = result;
  const at = (act: string) => `/results/${id}/${act}`;
  const isSubmitted = result.result_status === 'active';
  const choice = (name: Decision, label: string) =>
    decision === decisions[name] ? null : actButton(visit, at('decide'), label, { decision: name });
  return html`<div class="acts-row">
      ${
        isSubmitted
          ? html`${choice('advance', 'Advance')} ${choice('reject', 'Reject')}
            ${choice('undecided', 'Back to undecided')}`
          : null
      }
      ${
        result.recruiter_shortlist
          ? actButton(visit, at('shortlist'), 'Off the shortlist', { shortlist: 'off' })
          : actButton(visit, at('shortlist'), 'On the shortlist', { shortlist: 'on' })
      }
      ${
        isSubmitted && result.processing_status === 'completed'
          ? confirmButton(visit, at('reopen'), {
              id: 'reopen',
              label: 'Reopen',
              question:
                'The candidate may take it again: decision and scores become history of this attempt, and its links end.',
            })
          : null
      }
    </div>
    <details class="filters" id="note-form" ${form.hasErrors ? html`open` : null}>
      <summary>${result.user_feedback_recruiter === null ? 'Write a note' : 'Change the note'}</summary>
      ${form.summary}
      ${postForm(
        visit,
        at('note'),
        html`${form.area('note', 'Note', note ?? result.user_feedback_recruiter ?? '', { rows: 4, maxlength: 10_000 })}
          <div><button>Save the note</button></div>`,
      )}
    </details>`;
}

const noteNames = { user_feedback_recruiter: 'note' };
