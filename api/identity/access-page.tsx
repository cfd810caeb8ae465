import type { ComponentChildren, VNode } from 'preact';
import { listAgentConnections } from '../../db/agents/public';
import type { AgentConnection } from '../../db/agents/public';
import { listColleagues, listServiceKeys, listSessions } from '../../db/identity/access';
import type { Colleague, OpenSession, ServiceKey } from '../../db/identity/access';
import { ConfirmButton, Submit } from '../platform/site/buttons';
import { Badge, Panel, Soft, Table, Time } from '../platform/site/elements';
import { SelectField, Form, TextField } from '../platform/site/form';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import type { Site } from '../platform/site/site';
import { isOwner, consoleReaders, mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import type { AccessNote } from './access-actions';
import { addAccessActions } from './access-actions';

const limitRows = 200;

/** Adds the page that lists the merchant's service keys and the sessions of its people, with the last use of each. */
export function addAccessPage(site: Site, deps: ConsoleDeps): void {
  const { database } = deps;
  const render = async (visit: ConsoleVisit, note: AccessNote = {}): Promise<Page> => {
    const lists = await database.read(visit.caller(consoleReaders), async (trx) => ({
      keys: await trx.rows(listServiceKeys(limitRows)),
      sessions: await trx.rows(listSessions(limitRows)),
      agents: new Map((await trx.rows(listAgentConnections)).map((agent) => [agent.session_id, agent])),
      colleagues: isOwner(visit) ? await trx.rows(listColleagues(limitRows)) : [],
    }));
    return {
      title: 'Access',
      at: '/access',
      status: note.keyError?.status ?? note.sessionError?.status,
      content: (
        <>
          <Panel title="Service keys" live="keys">
            <KeyTable keys={lists.keys} mayRevoke={isOwner(visit)} />
          </Panel>
          {isOwner(visit) && (
            <Panel title="New service key">
              <KeyForm visit={visit} note={note} />
            </Panel>
          )}
          <Panel title="Connected agents" live="agents">
            <AgentTable
              sessions={lists.sessions.filter(({ kind }) => kind === 'agent')}
              agents={lists.agents}
              mayAllow={isOwner(visit)}
            />
          </Panel>
          <Panel title={isOwner(visit) ? 'Sessions' : 'Your sessions'} live="sessions">
            <SessionTable
              sessions={lists.sessions.filter(({ kind }) => kind !== 'agent')}
              ownId={visit.session.session_id}
              mayRevoke={mayChange(visit)}
            />
          </Panel>
          {mayChange(visit) && (
            <Panel title="Create API token">
              <TokenForm visit={visit} colleagues={lists.colleagues} note={note} />
            </Panel>
          )}
        </>
      ),
    };
  };

  site.page('console-access', '/access', (visit) => render(visit));
  addAccessActions(site, deps, render);
}

const KeyTable = ({ keys, mayRevoke }: { keys: readonly ServiceKey[]; mayRevoke: boolean }): VNode => (
  <Table
    caption="Service keys"
    columns={['Name', 'State', 'Created', 'By', 'Last used', ...(mayRevoke ? [''] : [])]}
    rows={keys.map(({ id, name, created_at, created_by_name, last_used_at, revoked_at, ...key }) => [
      name ?? 'Unnamed',
      revoked_at === null ? (
        <>
          <Badge tone="good">Active</Badge>{' '}
          {key.unattended_decisions && <Badge>Decides without asking</Badge>}
        </>
      ) : (
        <>
          <Badge>Revoked</Badge> <Time at={revoked_at} />
        </>
      ),
      <Time at={created_at} />,
      created_by_name ?? 'The platform',
      last_used_at === null ? 'Never' : <Time at={last_used_at} />,
      ...(mayRevoke
        ? [
            revoked_at === null && (
              <>
                <ConfirmButton
                  path="/access/keys/decisions"
                  id={`decisions-${id}`}
                  label={key.unattended_decisions ? 'Ask before decisions' : 'Allow unattended decisions'}
                  title={`Decisions of agents with the key ${name ?? 'without a name'}`}
                  fields={{ id, unattended: String(!key.unattended_decisions) }}
                >
                  {key.unattended_decisions
                    ? 'Agents with this key will need a person’s confirmation for each decision.'
                    : 'Agents with this key will select and reject candidates without a person’s confirmation.'}
                </ConfirmButton>
                <ConfirmButton
                  path="/access/keys/revoke"
                  id={`revoke-${id}`}
                  label="Revoke"
                  title={`Revoke the key ${name ?? 'without a name'}`}
                  fields={{ id }}
                >
                  Anything using this key stops working immediately.
                </ConfirmButton>
              </>
            ),
          ]
        : []),
    ])}
    empty="No service keys in this environment yet."
  />
);

function KeyForm({ visit, note: { keyError, entered } }: { visit: ConsoleVisit; note: AccessNote }): VNode {
  const { merchant, session } = visit;
  return (
    <>
      <p class="soft">
        A key gives access to {merchant.name} and its sub-merchants in the {session.environment} environment.
        It is shown only once. Calls with a key name the merchant: <code>merchant_id</code> is{' '}
        <code>{merchant.id}</code>.
      </p>
      <Form path="/access/keys/create" names={['name']} error={keyError} layout="inline">
        <TextField name="name" label="Name" value={entered?.['name'] ?? ''} required maxlength={100} />
        <Submit>Create key</Submit>
      </Form>
    </>
  );
}

/** The agents that people have connected. Everybody may revoke their own. */
const AgentTable = (props: {
  sessions: readonly OpenSession[];
  agents: ReadonlyMap<string, AgentConnection>;
  mayAllow: boolean;
}): VNode => (
  <Table
    caption="Connected agents"
    columns={['Agent', 'Person', 'May', 'Connected', 'Last used', '']}
    rows={props.sessions.map((session) => {
      const { scopes = [], unattended_decisions: unattended = false } = props.agents.get(session.id) ?? {};
      return [
        session.label ?? '–',
        session.name ?? session.email,
        <>
          {scopes.join(', ')} {unattended && <Badge>Decides without asking</Badge>}
        </>,
        <Time at={session.created_at} />,
        session.last_used_at === null ? 'Never' : <Time at={session.last_used_at} />,
        <>
          {props.mayAllow && (
            <ConfirmButton
              path="/access/agents/decisions"
              id={`decisions-${session.id}`}
              label={unattended ? 'Ask before decisions' : 'Allow unattended decisions'}
              title={`Decisions of ${session.label ?? 'the agent'}`}
              fields={{ id: session.id, unattended: String(!unattended) }}
            >
              {unattended
                ? 'This agent will need a person’s confirmation for each decision.'
                : 'This agent will select and reject candidates without a person’s confirmation.'}
            </ConfirmButton>
          )}
          <ConfirmButton
            path="/access/agents/revoke"
            id={`revoke-${session.id}`}
            label="Revoke"
            title={`Disconnect ${session.label ?? 'the agent'}`}
            fields={{ id: session.id }}
          >
            The agent stops working immediately.
          </ConfirmButton>
        </>,
      ];
    })}
    empty="No connected agents in this environment."
  />
);

const SessionTable = (props: {
  sessions: readonly OpenSession[];
  /** The id of the session that requested this page. */
  ownId: string;
  mayRevoke: boolean;
}): VNode => (
  <Table
    caption="Sessions"
    columns={['Person', 'Type', 'Label', 'Created', 'Last used', 'Expires', ...(props.mayRevoke ? [''] : [])]}
    rows={props.sessions.map((session) => [
      <>
        {session.name ?? session.email} {session.id === props.ownId && <Badge tone="good">Current</Badge>}
      </>,
      <span class="one-line">{session.kind === 'console' ? 'Console' : 'API'}</span>,
      session.label ?? <Soft>{session.user_agent ?? '–'}</Soft>,
      <Time at={session.created_at} />,
      lastUse(session, props.ownId),
      <Time at={session.expires_at} />,
      ...(props.mayRevoke
        ? [
            <ConfirmButton
              path="/access/sessions/revoke"
              id={`revoke-${session.id}`}
              label="Revoke"
              title={`Revoke a session of ${session.name ?? session.email}`}
              fields={{ id: session.id }}
            >
              Its tokens stop working immediately.
            </ConfirmButton>,
          ]
        : []),
    ])}
    empty="No sessions."
  />
);

/**
 * Shows when a session was last used. The session that requested this page is in use now, whatever is recorded for it.
 */
function lastUse({ id, last_used_at }: OpenSession, ownId: string): ComponentChildren {
  if (id === ownId) return 'Now';
  return last_used_at === null ? 'Never' : <Time at={last_used_at} />;
}

function TokenForm(props: {
  visit: ConsoleVisit;
  colleagues: readonly Colleague[];
  note: AccessNote;
}): VNode {
  const { sessionError, entered } = props.note;
  const { profile_id: ownId, name, email } = props.visit.session;
  const others = props.colleagues.filter(({ id }) => id !== ownId);
  const people = [
    { value: ownId, label: `${name ?? email} (you)` },
    ...others.map((person) => ({
      value: person.id,
      label: `${person.name ?? person.email} (${roleNames[person.role] ?? person.role})`,
    })),
  ];
  return (
    <>
      <p class="soft">
        Creates an access token for one hour and a refresh token for 30 days, with the rights of that person.
        They are shown only once.
      </p>
      <Form
        path="/access/sessions/create"
        names={['profile_id', 'label']}
        error={sessionError}
        layout="inline"
      >
        {others.length > 0 && (
          <SelectField
            name="profile_id"
            label="Person"
            options={people}
            value={entered?.['profile_id'] ?? ownId}
          />
        )}
        <TextField name="label" label="Label" value={entered?.['label'] ?? ''} required maxlength={100} />
        <Submit isPlain={isOwner(props.visit)}>Create token</Submit>
      </Form>
    </>
  );
}
