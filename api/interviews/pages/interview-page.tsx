import type { VNode } from 'preact';
import { findPortalDomain } from '../../../db/account/public';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { isPractice } from '../../../db/platform/vocabulary';
import { interviewStatus } from '../../platform/operation/named-enums';
import { ConfirmButton, PostButton } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Facts, RedirectNow, Link, Mono, Panel, Time } from '../../platform/site/elements';
import { ErrorBox } from '../../platform/site/form';
import { oneOf } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import { reorderScript } from '../../platform/site/site-assets';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { jobInterviewGet } from '../job-interview-get';
import { jobInterviewSetState } from '../job-interview-set-state';
import { addEmbedActions, EmbedPanel } from './embed-panel';
import type { InterviewDefinition } from './interview-form-fields';
import type { RenderInterview } from './interview-note';
import {
  languageNames,
  recordingNames,
  StatusBadge,
  templateName,
  typeNames,
  visibilityNames,
} from './interview-words';
import { JobPagePanel } from './job-address';
import { addQuestionActions, QuestionsPanel } from './questions-panel';
import { addShareActions, AvatarPanel, SharePanel } from './share-panel';

/** Adds the page of one interview: its facts, its links, its questions and its embed key. */
export function addInterviewPage(site: Site, deps: ConsoleDeps): void {
  const render: RenderInterview = async (visit, id, note = {}) => {
    const [interview, [portal]] = await Promise.all([
      callOperation(deps, visit, jobInterviewGet, { position_id: id }).then(replyOf),
      deps.database.query(visit.caller(), findPortalDomain),
    ]);
    const page = { title: interview.name, at: '/interviews', status: note.error?.status } as const;
    if (interview.is_multistage)
      return { ...page, content: <RedirectNow to={visit.href(`/positions/${id}`)} /> };
    const isEditable = mayChange(visit);
    const isAvatar = interview.type === 'public_avatar';
    const origin = deps.links.originOf(portal?.portal_domain ?? null);
    return {
      ...page,
      scripts: [reorderScript],
      content: (
        <>
          {note.form === undefined && <ErrorBox error={note.error} />}
          <Panel>
            <Overview id={id} interview={interview} />
            {isEditable && <Actions id={id} interview={interview} />}
          </Panel>
          {isAvatar && <AvatarPanel id={id} interview={interview} portal={origin} />}
          <JobPagePanel definition={interview} portal={origin} />
          {isEditable && !isAvatar && <SharePanel id={id} interview={interview} note={note} />}
          <QuestionsPanel {...{ id, interview, isEditable }} order={note.order} />
          {isEditable && <EmbedPanel {...{ id, interview, note }} portal={origin} />}
        </>
      ),
    };
  };

  site.page(
    'console-interview',
    '/interviews/:id',
    (visit, { params }) => render(visit, params['id'] ?? ''),
    {
      subject: subjectVisibility.interview,
    },
  );

  site.post('console-interview-state', '/interviews/:id/state', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const status = oneOf(interviewStatus.options, sentText(sent, 'status'));
    const { error } = await callOperation(deps, visit, jobInterviewSetState, { position_id: id, status });
    if (error) return render(visit, id, { error });
    if (status === 'deleted') return { goTo: '/interviews', flash: 'Interview deleted.' };
    return { goTo: `/interviews/${id}`, flash: 'Status changed.' };
  });

  addShareActions(site, deps, render);
  addEmbedActions(site, deps, render);
  addQuestionActions(site, deps, render);
}

type OfInterview = { id: string; interview: InterviewDefinition };

const Overview = ({ id, interview }: OfInterview): VNode => (
  <>
    <p class="lead">
      <StatusBadge status={interview.status} /> {interview.description}
    </p>
    <Facts
      entries={[
        ['Type', interview.type && typeNames[interview.type]],
        ['Template', templateName(interview.interview_template_type)],
        ['Language', languageNames[interview.platform_language_code]],
        ['Who can find it', visibilityNames[interview.visibility]],
        ['Location', interview.interview_location],
        interview.interview_department !== null && ['Department', interview.interview_department],
        ['Maximum duration', interview.max_duration && `${Math.round(interview.max_duration / 60)} min`],
        ['Price of an attempt', priceOf(interview)],
        ['Recording of answers', interview.recording ? recordingNames[interview.recording] : 'None'],
        interview.interview_available_till !== null && [
          'Available until',
          interview.interview_available_till,
        ],
        ['Created', <Time at={interview.created_at} />],
        ['ID', <Mono>{id}</Mono>],
      ]}
    />
  </>
);

function priceOf({ price_per_attempt: price, type }: InterviewDefinition): VNode | null {
  if (price === null) return null;
  const kind = isPractice(type) ? 'coaching credit' : 'credit';
  return <a href="/docs/credits">{price === 0 ? 'Nothing' : `${price} ${kind}${price === 1 ? '' : 's'}`}</a>;
}

/** The changes of status that a person can make from each status. Deleting has a button of its own. */
const changes: Record<
  InterviewDefinition['status'],
  readonly (readonly [to: InterviewDefinition['status'], label: string])[]
> = {
  active: [
    ['completed', 'Complete'],
    ['archived', 'Archive'],
    ['draft', 'Back to draft'],
  ],
  draft: [
    ['active', 'Activate'],
    ['archived', 'Archive'],
  ],
  preparing: [
    ['active', 'Activate'],
    ['archived', 'Archive'],
  ],
  completed: [
    ['active', 'Activate'],
    ['archived', 'Archive'],
  ],
  archived: [['active', 'Activate']],
  deleted: [],
};

const Actions = ({ id, interview: { status } }: OfInterview): VNode => (
  <div class="acts-row">
    {changes[status].map(([to, label]) => (
      <PostButton
        path={`/interviews/${id}/state`}
        label={label}
        fields={{ status: to }}
        isPrimary={to === 'active'}
      />
    ))}
    <Link class="button plain" to={`/interviews/${id}/settings`}>
      Settings
    </Link>
    <Link class="button plain" to="/results" query={{ interview_id: id }}>
      Results
    </Link>
    <ConfirmButton
      path={`/interviews/${id}/state`}
      id="delete"
      label="Delete"
      title="Delete interview"
      fields={{ status: 'deleted' }}
    >
      Candidates can no longer open it. Its results stay. This can’t be undone.
    </ConfirmButton>
  </div>
);
