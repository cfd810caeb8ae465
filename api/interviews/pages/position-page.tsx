import type { VNode } from 'preact';
import { findPortalDomain } from '../../../db/account/public';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { ApiError } from '../../platform/operation/api-error';
import { ConfirmButton, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Facts, Link, Mono, Panel, Time } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import type { Site } from '../../platform/site/site';
import { reorderScript } from '../../platform/site/site-assets';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { jobInterviewGet } from '../job-interview-get';
import { jobInterviewSetState } from '../job-interview-set-state';
import { jobInterviewUpdate } from '../job-interview-update';
import type { InterviewUpdate } from '../update-fields';
import { readEntered, Fields, toOperationInput } from './field-forms';
import type { FieldSpec } from './field-forms';
import type { InterviewDefinition } from './interview-form-fields';
import { languageNames, StatusBadge, visibilityNames } from './interview-words';
import { JobPagePanel } from './job-address';
import { enteredPosition, positionFieldsOf, listPossibleSteps } from './position-fields';
import { addStepActions, StepsPanel } from './steps-panel';
import type { StepsNote, RenderPosition } from './steps-panel';

/** How many interviews can be chosen as another step. */
const offered = 200;

/** Adds the page of one position: its steps, and its facts. */
export function addPositionPage(site: Site, deps: ConsoleDeps): void {
  const fields = positionFieldsOf(deps);
  const render: RenderPosition = async (visit, id, note = {}) => {
    const isEditable = mayChange(visit);
    const [position, [portal], free] = await Promise.all([
      callOperation(deps, visit, jobInterviewGet, { position_id: id }).then(replyOf),
      deps.database.query(visit.caller(), findPortalDomain),
      isEditable ? listPossibleSteps(deps, visit, { text: note.find, limit: offered }) : [],
    ]);
    if (!position.is_multistage) throw new ApiError('not_found', 'This page is for positions only.');
    return {
      title: position.name,
      at: '/positions',
      status: note.error?.status,
      scripts: [reorderScript],
      content: (
        <>
          <Panel>
            <Overview {...{ id, position, isEditable }} />
          </Panel>
          <JobPagePanel definition={position} portal={deps.links.originOf(portal?.portal_domain ?? null)} />
          <StepsPanel {...{ id, position, free, note, isEditable }} />
          {isEditable && <Settings id={id} position={position} note={note} fields={fields} />}
        </>
      ),
    };
  };

  site.page(
    'console-position',
    '/positions/:id',
    (visit, { params, query }) => render(visit, params['id'] ?? '', { find: query['find'] }),
    { subject: subjectVisibility.position },
  );

  site.post(
    'console-position-update',
    '/positions/:id',
    async (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const entered = readEntered(fields, sent);
      const { reply, error } = await callOperation(deps, visit, jobInterviewUpdate, {
        ...(toOperationInput(fields, entered) as Partial<InterviewUpdate>),
        position_id: id,
      });
      if (error) return render(visit, id, { entered, error });
      const flash = reply.updated_fields.length > 0 ? 'Changes saved.' : 'No changes to save.';
      return { goTo: `/positions/${id}`, flash };
    },
    { isLarge: true },
  );

  site.post('console-position-delete', '/positions/:id/delete', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const { error } = await callOperation(deps, visit, jobInterviewSetState, {
      position_id: id,
      status: 'deleted',
    });
    if (error) return render(visit, id, { error });
    return { goTo: '/positions', flash: 'Position deleted.' };
  });

  addStepActions(site, deps, render);
}

type OfPosition = { id: string; position: InterviewDefinition };

const Overview = ({ id, position, isEditable }: OfPosition & { isEditable: boolean }): VNode => (
  <>
    <p class="lead">
      <StatusBadge status={position.status} /> {position.description}
    </p>
    <Facts
      entries={[
        ['Who can find it', visibilityNames[position.visibility]],
        ['Language', languageNames[position.platform_language_code]],
        ['Location', position.interview_location],
        position.hiring_for_company !== null && ['Hiring for', position.hiring_for_company.name],
        ['Created', <Time at={position.created_at} />],
        ['ID', <Mono>{id}</Mono>],
      ]}
    />
    <div class="acts-row">
      {isEditable && (
        <Link class="button plain" to="/candidates/invite" query={{ interview_id: id }}>
          Invite candidates
        </Link>
      )}
      <Link class="button plain" to="/candidates" query={{ interview_id: id }}>
        Candidates
      </Link>
      <Link class="button plain" to="/results" query={{ interview_id: id }}>
        Results
      </Link>
    </div>
  </>
);

const Settings = (props: OfPosition & { note: StepsNote; fields: readonly FieldSpec[] }): VNode => {
  const { id, position, note, fields } = props;
  return (
    <>
      <Panel title="Settings">
        <Form
          path={`/positions/${id}`}
          names={fields.map(({ name }) => name)}
          error={note.entered && note.error}
        >
          <Fields fields={fields} entered={note.entered ?? enteredPosition(position)} />
          <Submit isPlain>Save changes</Submit>
        </Form>
      </Panel>
      <Panel title="Delete">
        <p class="soft">
          Links of its candidates stop working, and its interviews can become steps of other positions.
          Results are kept.
        </p>
        <ConfirmButton path={`/positions/${id}/delete`} id="delete" label="Delete position">
          This can’t be undone.
        </ConfirmButton>
      </Panel>
    </>
  );
};
