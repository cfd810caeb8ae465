import type { VNode } from 'preact';
import type { z } from 'zod';
import { ApiError } from '../../platform/operation/api-error';
import { Submit } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import type { OperationResult } from '../../platform/site/call-operation';
import { Link, Panel } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import { FormId, formKey } from '../../platform/site/form-id';
import type { Page } from '../../platform/site/layout';
import type { RedirectWithMessage, RequestData, Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewCreate } from '../job-interview-create';
import { jobInterviewCreateFromArray } from '../job-interview-create-from-array';
import { readEntered, Fields, toOperationInput } from './field-forms';
import type { EnteredValues, FieldSpec } from './field-forms';
import {
  draftedQuestionsFields,
  givenQuestionsFields,
  newInterviewDefaults,
  noChoices,
  personaFields,
  readChoices,
  gatherPersona,
} from './interview-form-fields';
import type { Choices } from './interview-form-fields';

type Created = OperationResult<{ interview_def_set_id: string }>;
/** A way to create an interview: a page with a form, and the operation that it calls. */
type Way = {
  name: string;
  path: string;
  lead: VNode;
  fieldsOf: (choices: Choices) => FieldSpec[];
  writes: string;
  create: (visit: ConsoleVisit, input: Record<string, unknown>, key: string) => Promise<Created>;
};

/** Adds the pages with the forms for a new interview: one that the AI writes, and one with given questions. */
export function addNewInterviewPages(site: Site, deps: ConsoleDeps): void {
  addWay(site, deps, {
    name: 'console-interview-new',
    path: '/interviews/new',
    lead: (
      <>
        The AI writes the questions and what good answers show. You can change everything afterwards. You have
        the questions already? <Link to="/interviews/new/questions">Enter your own questions</Link>.
      </>
    ),
    fieldsOf: draftedQuestionsFields,
    writes: 'the questions, the descriptions and what good answers show',
    create: (visit, { notes, ...input }, key) =>
      callOperation(
        deps,
        visit,
        jobInterviewCreate,
        { ...input, additional_context: notes === null ? null : { notes } } as Input<
          typeof jobInterviewCreate
        >,
        { key },
      ),
  });
  addWay(site, deps, {
    name: 'console-interview-new-given',
    path: '/interviews/new/questions',
    lead: (
      <>
        Candidates are asked exactly your questions. You have none yet?{' '}
        <Link to="/interviews/new">Let the AI write them</Link>.
      </>
    ),
    fieldsOf: givenQuestionsFields,
    writes: 'what good answers show',
    create: (visit, { questions, ...input }, key) =>
      callOperation(
        deps,
        visit,
        jobInterviewCreateFromArray,
        { ...input, questions: ((questions ?? []) as string[]).map((question) => ({ question })) } as Input<
          typeof jobInterviewCreateFromArray
        >,
        { key },
      ),
  });
}
type Input<Operation extends { input: z.ZodType }> = z.input<Operation['input']>;

function addWay(site: Site, deps: ConsoleDeps, way: Way): void {
  const { name, path, fieldsOf } = way;
  const render = async (visit: ConsoleVisit, entered?: EnteredValues, error?: ApiError): Promise<Page> => {
    const choices = await readChoices(deps, visit);
    const fields = fieldsOf(choices);
    const names = [...fields, ...personaFields].map((field) => field.name);
    return {
      title: 'New interview',
      at: '/interviews',
      status: error?.status,
      content: mayChange(visit) ? (
        <Panel>
          <p class="soft">{way.lead}</p>
          <p class="soft">
            In production, attempts are paid with credits. The template, the recordings and the maximum
            duration decide <a href="/docs/credits">what an attempt costs</a>.
          </p>
          <Form
            path={path}
            names={names}
            aliases={{ additional_context: 'notes', persona: 'persona.name' }}
            error={error}
          >
            <FormId />
            <Fields fields={fields} entered={entered ?? newInterviewDefaults(choices)} />
            <div class="of-persona">
              <h2>Person whom the AI plays</h2>
              <p class="soft">The AI writes what you leave empty.</p>
              <Fields fields={personaFields} entered={entered ?? {}} />
            </div>
            <Submit>Create interview</Submit>
          </Form>
        </Panel>
      ) : (
        <p class="soft">You have read-only access.</p>
      ),
    };
  };

  const create = async (visit: ConsoleVisit, sent: RequestData): Promise<Page | RedirectWithMessage> => {
    const fields = [...fieldsOf(noChoices), ...personaFields];
    const entered = readEntered(fields, sent);
    const input = gatherPersona(toOperationInput(fields, entered), entered['type']);
    const { reply, error } = await way.create(visit, input, formKey(sent)).catch(orUnavailable);
    if (error) return render(visit, entered, error);
    return { goTo: `/interviews/${reply.interview_def_set_id}`, flash: 'Interview created.' };
  };

  site.page(name, path, (visit) => render(visit));
  site.post(name, path, async (visit, sent) => ({
    meanwhile: waitingPage(way.writes),
    outcome: create(visit, sent),
  }));
}

/** The AI being away is an error that the form shows, because the person can send it again. */
function orUnavailable(failure: unknown): Created {
  if (failure instanceof ApiError && failure.code === 'generation_unavailable') return { error: failure };
  throw failure;
}

const waitingPage = (writes: string): Page => ({
  title: 'Creating the interview',
  at: '/interviews',
  content: (
    <section class="panel meanwhile" role="status">
      <p class="lead">The AI is writing {writes}. This takes up to a minute.</p>
      <progress aria-label="Creating the interview" />
      <p class="soft">
        This page goes on by itself. If you leave it, you find the interview in the list as soon as it is
        complete.
      </p>
    </section>
  ),
});
