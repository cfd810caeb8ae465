import type { VNode } from 'preact';
import type { z } from 'zod';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { archiveStatuses } from '../../../db/platform/vocabulary';
import type { ApiError } from '../../platform/operation/api-error';
import { ConfirmButton, PostButton, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import {
  Badge,
  Facts,
  Mono,
  OneLine,
  Pager,
  Panel,
  Soft,
  Table,
  Tabs,
  Time,
} from '../../platform/site/elements';
import { Checkbox, ErrorBox, Form, SearchForm, TextArea, TextField } from '../../platform/site/form';
import { FormId, formKey } from '../../platform/site/form-id';
import type { Page } from '../../platform/site/layout';
import { givenParameters, offsetOf, oneOf } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { RequestData, Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { knowledgeBaseCreate } from '../knowledge-base-create';
import { maxKnowledgeCharacters } from '../knowledge-base-fields';
import { knowledgeBaseGet } from '../knowledge-base-get';
import { knowledgeBaseList } from '../knowledge-base-list';
import { knowledgeBaseUpdate } from '../knowledge-base-update';

const path = '/knowledge';
const limit = 50;
type KnowledgeBase = z.output<typeof knowledgeBaseGet.reply>;
type ListedKnowledgeBase = z.output<typeof knowledgeBaseList.reply>['data'][number];
/** What a person entered in the form. */
type Entered = { name: string; text: string; is_for_candidates: boolean };
type Note = { entered?: Entered; error?: ApiError };

/** Adds the page that lists the knowledge bases, with the form for a new one, and the page of one. */
export function addKnowledgePages(site: Site, deps: ConsoleDeps): void {
  const renderList = async (
    visit: ConsoleVisit,
    query: Record<string, string> = {},
    { entered = { name: '', text: '', is_for_candidates: false }, error }: Note = {},
  ): Promise<Page> => {
    const filter = givenParameters(query, ['status', 'filter_text']);
    const asked = await callOperation(deps, visit, knowledgeBaseList, {
      ...filter,
      status: oneOf(archiveStatuses, filter['status']),
      limit: String(limit),
      offset: String(offsetOf(query)),
    });
    return {
      title: 'Knowledge',
      at: path,
      status: error?.status ?? asked.error?.status,
      content: (
        <>
          <Tabs path={path} label="Knowledge" name="status" entries={tabs} query={filter} />
          <Panel>
            <SearchForm path={path} names={['filter_text']} error={asked.error}>
              <TextField
                name="filter_text"
                label="Name"
                value={filter['filter_text'] ?? ''}
                maxlength={200}
              />
              <div>
                <button class="plain">Search</button>
              </div>
            </SearchForm>
          </Panel>
          <Panel live="knowledge-bases">
            {asked.reply && (
              <>
                <KnowledgeTable bases={asked.reply.data} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...asked.reply.pagination} query={filter} />
              </>
            )}
          </Panel>
          {mayChange(visit) && (
            <Panel title="New knowledge base">
              <p class="soft">
                The AI drafts questions and chooses follow-ups with it. Answers to a question that has a
                knowledge base are compared with it.
              </p>
              <KnowledgeForm
                path={path}
                entered={entered}
                button="Create knowledge base"
                error={error}
                isNew
              />
            </Panel>
          )}
        </>
      ),
    };
  };

  const renderOne = async (visit: ConsoleVisit, id: string, { entered, error }: Note = {}): Promise<Page> => {
    const base = replyOf(await callOperation(deps, visit, knowledgeBaseGet, { knowledge_base_id: id }));
    return {
      title: base.name,
      at: path,
      status: error?.status,
      content: (
        <>
          {!entered && <ErrorBox error={error} />}
          <Panel live="knowledge-base">
            <KnowledgeFacts base={base} />
            {mayChange(visit) && <StatusButton base={base} />}
          </Panel>
          <Panel title="Interviews that use it">
            <Interviews base={base} />
          </Panel>
          {mayChange(visit) ? (
            <Panel title="Edit">
              <p class="soft">
                A change reaches the next question that is asked, also in running interviews.
              </p>
              <KnowledgeForm
                path={`${path}/${base.id}`}
                entered={entered ?? base}
                button="Save changes"
                error={error}
              />
            </Panel>
          ) : (
            <Panel title="Text">
              <p class="said" dir="auto">
                {base.text}
              </p>
            </Panel>
          )}
        </>
      ),
    };
  };

  site.page('console-knowledge', path, (visit, { query }) => renderList(visit, query));
  site.post(
    'console-knowledge-create',
    path,
    async (visit, sent) => {
      const entered = enteredIn(sent);
      const { reply, error } = await callOperation(deps, visit, knowledgeBaseCreate, entered, {
        key: formKey(sent),
      });
      if (error) return renderList(visit, {}, { entered, error });
      return { goTo: `${path}/${reply.id}`, flash: 'Knowledge base created.' };
    },
    { isLarge: true },
  );

  site.page(
    'console-knowledge-base',
    `${path}/:id`,
    (visit, { params }) => renderOne(visit, params['id'] ?? ''),
    {
      subject: subjectVisibility.knowledgeBase,
    },
  );
  site.post(
    'console-knowledge-update',
    `${path}/:id`,
    async (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const entered = enteredIn(sent);
      const { reply, error } = await callOperation(deps, visit, knowledgeBaseUpdate, {
        knowledge_base_id: id,
        ...entered,
      });
      if (error?.status === 404) throw error;
      if (error) return renderOne(visit, id, { entered, error });
      const flash = reply.updated_fields.length > 0 ? 'Changes saved.' : 'No changes to save.';
      return { goTo: `${path}/${id}`, flash };
    },
    { isLarge: true },
  );
  site.post('console-knowledge-status', `${path}/:id/status`, async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    // The operation rejects other values.
    const status = sentText(sent, 'status') as (typeof archiveStatuses)[number];
    replyOf(await callOperation(deps, visit, knowledgeBaseUpdate, { knowledge_base_id: id, status }));
    return {
      goTo: `${path}/${id}`,
      flash: status === 'archived' ? 'Knowledge base archived.' : 'Knowledge base reactivated.',
    };
  });
}

/** Reads the form. Browsers send line breaks as two characters, which would count twice. */
const enteredIn = (sent: RequestData): Entered => ({
  name: sentText(sent, 'name'),
  text: sentText(sent, 'text').replaceAll('\r\n', '\n'),
  is_for_candidates: sentText(sent, 'is_for_candidates') === 'on',
});

const tabs = [
  ['', 'All'],
  ['active', 'Active'],
  ['archived', 'Archived'],
] as const;

const KnowledgeTable = (props: { bases: readonly ListedKnowledgeBase[]; isFiltered: boolean }): VNode => (
  <Table
    caption="Knowledge bases"
    columns={['Name', 'Characters', 'Interviews', 'For candidates', 'Updated']}
    rows={props.bases.map((base) => [
      <>
        <OneLine text={base.name} to={`${path}/${base.id}`} />{' '}
        {base.status === 'archived' && <Badge>Archived</Badge>}
      </>,
      base.character_count.toLocaleString('en'),
      base.interview_count,
      base.is_for_candidates ? 'Yes' : 'No',
      <Time at={base.updated_at} />,
    ])}
    empty={props.isFiltered ? 'No knowledge base matches.' : 'No knowledge bases yet.'}
  />
);

const KnowledgeFacts = ({ base }: { base: KnowledgeBase }): VNode => (
  <Facts
    entries={[
      ['Status', base.status === 'active' ? 'Active' : 'Archived'],
      ['For candidates', base.is_for_candidates ? 'Yes: their questions are answered from it' : 'No'],
      ['Updated', <Time at={base.updated_at} />],
      ['Created', <Time at={base.created_at} />],
      ['ID', <Mono>{base.id}</Mono>],
    ]}
  />
);

const StatusButton = ({ base: { id, status } }: { base: KnowledgeBase }): VNode => (
  <div class="acts-row">
    {status === 'active' ? (
      <ConfirmButton
        path={`${path}/${id}/status`}
        id="archive"
        label="Archive"
        title="Archive this knowledge base"
        fields={{ status: 'archived' }}
      >
        The interviews that use it go on using it. Other interviews can’t choose it any more.
      </ConfirmButton>
    ) : (
      <PostButton path={`${path}/${id}/status`} label="Reactivate" fields={{ status: 'active' }} />
    )}
  </div>
);

const Interviews = ({ base: { interviews, interview_count } }: { base: KnowledgeBase }): VNode => (
  <>
    <Table
      caption="Interviews that use it"
      columns={['Interview', 'Status']}
      rows={interviews.map(({ name, status }) => [<OneLine text={name} />, status])}
      empty="No interview of this environment uses it."
    />
    {interview_count > interviews.length && (
      <p>
        <Soft>{`The first ${interviews.length} of ${interview_count} are shown.`}</Soft>
      </p>
    )}
  </>
);

const KnowledgeForm = (props: {
  path: string;
  entered: Entered;
  button: string;
  error?: ApiError | undefined;
  isNew?: boolean;
}): VNode => (
  <Form path={props.path} names={['name', 'text', 'is_for_candidates']} error={props.error}>
    {props.isNew && <FormId />}
    <TextField name="name" label="Name" value={props.entered.name} required maxlength={200} />
    <TextArea
      name="text"
      label="Text"
      value={props.entered.text}
      rows={16}
      maxlength={maxKnowledgeCharacters}
      hint={`Plain text or Markdown, up to ${maxKnowledgeCharacters.toLocaleString('en')} characters. In this form, an emoji counts as two; send a longer text with the API.`}
    />
    <Checkbox
      name="is_for_candidates"
      label="Answer candidates’ questions from it"
      isChecked={props.entered.is_for_candidates}
    />
    <Submit>{props.button}</Submit>
  </Form>
);
