import { ApiError } from '../../platform/operation/api-error';
import { Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Link, Panel } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewGet } from '../job-interview-get';
import { jobInterviewUpdate } from '../job-interview-update';
import type { InterviewUpdate } from '../update-fields';
import { readEntered, Fields, toOperationInput } from './field-forms';
import type { EnteredValues } from './field-forms';
import {
  enteredSettings,
  isRubricField,
  readChoices,
  rubricOf,
  settingsSections,
  gatherPersona,
} from './interview-form-fields';

/** Adds the page with the settings of one interview. */
export function addInterviewSettingsPage(site: Site, deps: ConsoleDeps): void {
  const path = '/interviews/:id/settings';

  const open = async (visit: ConsoleVisit, id: string) => {
    const [interview, choices] = await Promise.all([
      callOperation(deps, visit, jobInterviewGet, { position_id: id }).then(replyOf),
      readChoices(deps, visit),
    ]);
    if (interview.is_multistage) throw new ApiError('not_found', 'This page is for interviews only.');
    const sections = settingsSections(choices, interview);
    return { interview, sections, fields: sections.flatMap((section) => section.fields) };
  };

  const render = (
    visit: ConsoleVisit,
    id: string,
    { interview, sections, fields }: Awaited<ReturnType<typeof open>>,
    entered: EnteredValues = enteredSettings(fields, interview),
    error?: ApiError,
  ): Page => ({
    title: `${interview.name}: settings`,
    at: '/interviews',
    status: error?.status,
    content: (
      <>
        <p>
          <Link to={`/interviews/${id}`}>Back to the interview</Link>
        </p>
        {mayChange(visit) ? (
          <Panel>
            <Form
              path={`/interviews/${id}/settings`}
              names={fields.map(({ name }) => name)}
              aliases={{ candidate_expectations_json: 'strong' }}
              error={error}
            >
              {sections.map((section) => (
                <>
                  <h2>{section.title}</h2>
                  <Fields fields={section.fields} entered={entered} />
                </>
              ))}
              <Submit>Save changes</Submit>
            </Form>
          </Panel>
        ) : (
          <p class="soft">You have read-only access.</p>
        )}
      </>
    ),
  });

  site.page('console-interview-settings', path, async (visit, { params }) => {
    const { id = '' } = params;
    return render(visit, id, await open(visit, id));
  });

  site.post(
    'console-interview-settings-save',
    path,
    async (visit, sent) => {
      const { id = '' } = sent.params;
      const opened = await open(visit, id);
      const entered = readEntered(opened.fields, sent);
      const others = opened.fields.filter(({ name }) => !isRubricField(name));
      const { interview_attempts: attempts, ...input } = gatherPersona(
        toOperationInput(others, entered),
        opened.interview.type,
      );
      const { reply, error } = await callOperation(deps, visit, jobInterviewUpdate, {
        ...(input as Partial<InterviewUpdate>),
        // The number of attempts cannot be cleared.
        interview_attempts: (attempts ?? undefined) as number | undefined,
        candidate_expectations_json: rubricOf(entered),
        position_id: id,
      });
      if (error) return render(visit, id, opened, entered, error);
      const flash = reply.updated_fields.length > 0 ? 'Changes saved.' : 'No changes to save.';
      return { goTo: `/interviews/${id}`, flash };
    },
    { isLarge: true },
  );
}
