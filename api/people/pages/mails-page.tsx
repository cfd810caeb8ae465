import type { VNode } from 'preact';
import { invitationTypes, mailStatuses } from '../../../db/people/vocabulary';
import type { ApiError } from '../../platform/operation/api-error';
import { maxCountedEntries } from '../../platform/operation/vocabulary';
import { callOperation } from '../../platform/site/call-operation';
import { Dash, Link, OneLine, Pager, Panel, Table, Time } from '../../platform/site/elements';
import { SelectField, SearchForm, TextField } from '../../platform/site/form';
import { roleNames } from '../../platform/site/layout';
import { givenParameters } from '../../platform/site/query';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps } from '../../platform/site/visitor';
import { merchantInvitationList } from '../merchant-invitation-list';
import type { MerchantInvitation } from '../merchant-invitation-list';
import { channelWords, kindWords, MailBadge, mailWords, MessageBadge } from './candidate-words';
import { PersonLink } from './candidates-page';

const path = '/mails';
const limit = 50;
const filterNames = ['mail_status', 'type', 'filter_text'] as const;
type Filter = Record<string, string>;

/** Adds the page that lists invitations and reminders, and says why one did not arrive. */
export function addMailsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-mails', path, async (visit, { query }) => {
    const filter = givenParameters(query, filterNames);
    const { reply, error } = await callOperation(deps, visit, merchantInvitationList, {
      ...filter,
      limit: String(limit),
      offset: query['offset'] ?? '0',
    });
    return {
      title: 'Mails',
      at: path,
      status: error?.status,
      content: (
        <>
          <Panel>
            <FilterForm {...{ filter, error }} />
          </Panel>
          <Panel live="mails">
            {reply && (
              <>
                <MailTable mails={reply.data} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...reply.pagination} countedTo={maxCountedEntries} query={filter} />
              </>
            )}
          </Panel>
        </>
      ),
    };
  });
}

const typeName = (type: string) => (type === 'candidate' ? 'Candidate' : (roleNames[type] ?? type));
const typeOptions = [
  { value: '', label: 'Everybody' },
  ...invitationTypes.toReversed().map((value) => ({ value, label: capital(typeName(value)) })),
];
const statusOptions = [
  { value: '', label: 'All' },
  ...mailStatuses.map((value) => ({ value, label: mailWords[value] })),
];

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const FilterForm = ({ filter, error }: { filter: Filter; error: ApiError | undefined }): VNode => {
  const { mail_status = '', type = '', filter_text = '' } = filter;
  return (
    <SearchForm path={path} names={filterNames} error={error}>
      <SelectField name="mail_status" label="Status" options={statusOptions} value={mail_status} />
      <SelectField name="type" label="Invited as" options={typeOptions} value={type} />
      <TextField name="filter_text" label="Name, email or ID" value={filter_text} maxlength={200} />
      <div>
        <button class="plain">Apply</button> {Object.keys(filter).length > 0 && <Link to={path}>Clear</Link>}
      </div>
    </SearchForm>
  );
};

const MailTable = (props: { mails: readonly MerchantInvitation[]; isFiltered: boolean }): VNode => (
  <Table
    caption="Mails"
    columns={['Person', 'Mail', 'Interview', 'Status', 'Message', 'Time']}
    rows={props.mails.map((mail) => [
      <PersonLink {...mail} profile_id={mail.type === 'candidate' ? mail.profile_id : null} />,
      <span class="word">{whatOf(mail)}</span>,
      mail.interview_name === null ? <Dash /> : <OneLine text={mail.interview_name} />,
      <MailState {...mail} />,
      <MessageState {...mail} />,
      <Time at={mail.sent_at ?? mail.created_at} />,
    ])}
    empty={props.isFiltered ? 'No mails match these filters.' : 'No mails yet.'}
  />
);

const whatOf = ({ kind, type }: MerchantInvitation): string => {
  const what = kind === null ? 'Invitation' : kindWords[kind];
  return type === null || type === 'candidate' ? what : `${what} (${typeName(type)})`;
};

/** The state of a mail, and why it did not arrive. */
export function MailState({ mail_status, mail_error, result }: MerchantInvitation): VNode {
  if (mail_status === null) return <>{unsentWords[result ?? ''] ?? 'No mail needed'}</>;
  return (
    <>
      <MailBadge status={mail_status} />
      {mail_error !== null && (
        <>
          <br />
          {mail_error}
        </>
      )}
    </>
  );
}

/** The message that accompanies a mail: how it goes out, its state and its cost, and why it did not arrive. */
export function MessageState(mail: MerchantInvitation): VNode {
  const { message_channel: channel, message_status: status, message_error, message_cost: cost } = mail;
  if (channel === null || status === null) return <Dash />;
  return (
    <>
      {channelWords[channel]} <MessageBadge status={status} />
      {cost !== null && ` ${cost.amount} ${cost.currency}`}
      {message_error !== null && (
        <>
          <br />
          {message_error}
        </>
      )}
    </>
  );
}

const unsentWords: Readonly<Record<string, string>> = {
  Activated: 'No mail: the person is active already, or has begun',
  Skipped: 'No mail: invited before',
};
