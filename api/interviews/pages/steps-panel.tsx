import type { VNode } from 'preact';
import { ApiError } from '../../platform/operation/api-error';
import { HiddenFields, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Link, Panel, Soft } from '../../platform/site/elements';
import { SelectField, Form, SearchForm, TextField } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import { Reorder, reordered } from '../../platform/site/reorder';
import { sentValues, sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewGet } from '../job-interview-get';
import type { ListedInterview } from '../job-interview-list';
import { positionUpdateSteps } from '../position-update-steps';
import type { EnteredValues } from './field-forms';
import type { InterviewDefinition } from './interview-form-fields';
import { StatusBadge } from './interview-words';

/** What the page of a position shows after an action, or for a search. */
export type StepsNote = {
  error?: ApiError;
  /** The facts that were rejected. Without them, the error belongs to the steps. */
  entered?: EnteredValues;
  /** The ids of the steps in an order that is not saved yet. */
  order?: readonly string[];
  /** The text of interviews to choose from. */
  find?: string | undefined;
};
export type RenderPosition = (visit: ConsoleVisit, id: string, note?: StepsNote) => Promise<Page>;

/** Adds the action that adds, moves, removes and saves steps. */
export function addStepActions(site: Site, deps: ConsoleDeps, render: RenderPosition): void {
  site.post('console-position-steps', '/positions/:id/steps', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const steps = sentValues(sent, 'steps');
    const position = replyOf(await callOperation(deps, visit, jobInterviewGet, { position_id: id }));
    if (sentText(sent, 'shown') !== shownOf(position))
      return render(visit, id, { error: changedMeanwhile() });
    const added = sentText(sent, 'add');
    const order =
      sentText(sent, 'change') === 'add' ? [...steps, ...(added ? [added] : [])] : reordered(steps, sent);
    if (order) return render(visit, id, { order });
    const { error } = await callOperation(deps, visit, positionUpdateSteps, { position_id: id, steps });
    if (error) return render(visit, id, { order: steps, error });
    return { goTo: `/positions/${id}`, flash: 'Steps saved.' };
  });
}

/** The stored steps when the page was shown. A form that was opened before somebody else saved others is rejected. */
const shownOf = (position: InterviewDefinition): string =>
  (position.steps ?? []).map(({ interview_id }) => interview_id).join(' ');

const changedMeanwhile = () =>
  new ApiError(
    'concurrent_change',
    'Somebody else has changed the steps since you opened the page. Nothing was saved. This is how they are now.',
  );

type Step = { id: string; name: string; status: ListedInterview['status'] };

/** Shows the steps of a position, with a form that adds, moves and removes them. */
export function StepsPanel(props: {
  id: string;
  position: InterviewDefinition;
  free: readonly ListedInterview[];
  note: StepsNote;
  isEditable: boolean;
}): VNode {
  const { id, position, free, note, isEditable } = props;
  const stored = (position.steps ?? []).map(({ interview_id, name, status }) => ({
    id: interview_id,
    name,
    status,
  }));
  const known = new Map([...free, ...stored].map((step) => [step.id, step]));
  const steps: Step[] = (note.order ?? stored.map((step) => step.id)).map(
    (each) => known.get(each) ?? { id: each, name: each, status: 'active' },
  );
  if (!isEditable)
    return (
      <Panel title="Steps">
        <ol>
          {steps.map((step) => (
            <li>
              <StepName step={step} />
            </li>
          ))}
        </ol>
      </Panel>
    );
  const addable = free.filter((each) => !steps.some((step) => step.id === each.id));
  return (
    <Panel title="Steps">
      <p class="soft">
        Candidates stay at their step. When you advance them, they enter the first step of this order that
        they have not taken.
      </p>
      <Form path={`/positions/${id}/steps`} error={note.entered ? undefined : note.error}>
        <HiddenFields fields={{ shown: shownOf(position) }} />
        <Reorder
          label="Steps"
          canRemove
          entries={steps.map((step) => ({
            name: step.name,
            content: (
              <>
                <HiddenFields fields={{ steps: step.id }} />
                <StepName step={step} />
              </>
            ),
          }))}
        />
        {note.order && !note.error && <p role="status">These steps are not saved yet.</p>}
        <div class="inline">
          <SelectField
            name="add"
            label="Another step"
            value=""
            options={[
              { value: '', label: addable.length === 0 ? 'No other interview' : 'Choose an interview' },
              ...addable.map((each) => ({ value: each.id, label: each.name })),
            ]}
          />
          <div>
            <button class="plain" name="change" value="add">
              Add
            </button>
          </div>
        </div>
        <Submit>Save steps</Submit>
      </Form>
      <details class="disclosure" open={note.find !== undefined}>
        <summary>Find an interview to add…</summary>
        <SearchForm path={`/positions/${id}`}>
          <TextField name="find" label="Name or reference" value={note.find ?? ''} maxlength={200} />
          <div>
            <button class="plain">Find</button> <Soft>Then choose it under “Another step”.</Soft>
          </div>
        </SearchForm>
      </details>
    </Panel>
  );
}

const StepName = ({ step }: { step: Step }): VNode => (
  <>
    <Link to={`/interviews/${step.id}`}>{step.name}</Link> <StatusBadge status={step.status} />
  </>
);
