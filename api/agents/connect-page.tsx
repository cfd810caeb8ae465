import type { Provider } from 'oidc-provider';
import { agentScopes } from '../../db/agents/agents';
import type { AgentScope } from '../../db/agents/agents';
import { openAgentSession, readAgentHosts } from '../../db/agents/oauth';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { PostButton, Submit } from '../platform/site/buttons';
import { Facts, RedirectNow, Panel } from '../platform/site/elements';
import { Checkbox, Form } from '../platform/site/form';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { sentText } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { consoleReaders } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { oneLine } from '../platform/text/one-line';
import { connectPath, resourceOf } from './oauth/addresses';

const scopeTexts: Readonly<Record<AgentScope, string>> = {
  read: 'Read interviews, candidates, results and reports',
  decide: 'Decide about candidates (it asks you each time)',
  manage: 'Create and change interviews, and invite people',
  webhooks: 'Read and retry webhook deliveries, and change endpoints',
};

type Request = {
  uid: string;
  clientId: string;
  clientName: string;
  /** The host that publishes the description of the agent. Null for an agent that only registered itself. */
  publisher: string | null;
  /** The host to which the browser returns. */
  returnHost: string;
  /** The host that answers for the agent. An app can name any host after a scheme of its own, so only https counts. */
  host: string;
  asked: readonly AgentScope[];
};

/** Adds the page on which a person connects an agent, to which the authorization server leads. */
export function addConnectPage(
  site: Site,
  { database, publicOrigin }: ConsoleDeps,
  provider: Provider,
): void {
  const gone = () =>
    new ApiError('not_found', 'This request has expired. Go back to the app and connect it again.');
  const path = `${connectPath}/:uid`;

  // The cookie proves that the request began in this browser. Otherwise, a stranger could send a person the address of
  // this page, and get the person's rights.
  site.router.use(path, async (request, response, next) => {
    const details = await provider.interactionDetails(request, response).catch(() => undefined);
    if (details?.uid !== request.params['uid']) throw gone();
    next();
  });

  const read = async (uid: string | undefined): Promise<Request> => {
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid);
    const clientId = interaction?.params['client_id'];
    const client = typeof clientId === 'string' ? await provider.Client.find(clientId) : undefined;
    if (!interaction || !client) throw gone();
    const { scope, redirect_uri: redirectUri } = interaction.params;
    const asked = (typeof scope === 'string' ? scope : '').split(' ');
    const wanted = agentScopes.filter((each) => asked.includes(each));
    const returnUrl = new URL(String(redirectUri));
    const publisher = client.clientId.startsWith('https://') ? new URL(client.clientId).host : null;
    return {
      uid: interaction.uid,
      clientId: client.clientId,
      clientName: oneLine(client.clientName ?? '').slice(0, 100) || 'Unnamed app',
      publisher,
      returnHost: /^https?:$/.test(returnUrl.protocol)
        ? returnUrl.host
        : `an app on this device (${returnUrl.protocol})`,
      host: publisher ?? (returnUrl.protocol === 'https:' ? returnUrl.host : returnUrl.origin),
      asked: wanted.length > 0 ? wanted : ['read'],
    };
  };

  /** Throws unless the merchant lets its people connect this agent. */
  const requireAllowed = async (visit: ConsoleVisit, { host }: Request): Promise<void> => {
    const [merchant] = await database.query(visit.caller(consoleReaders), readAgentHosts);
    if (!merchant?.is_on)
      throw new ApiError(
        'forbidden',
        `Agents are turned off in ${visit.session.environment} for ${visit.merchant.name}. An owner can turn them on under Settings.`,
      );
    if (merchant.agent_hosts.length > 0 && !merchant.agent_hosts.includes(host))
      throw new ApiError(
        'forbidden',
        `${visit.merchant.name} does not allow agents of ${host}. An owner can allow it under Settings.`,
      );
  };

  site.page('console-agent-connect', path, async (visit, { params }) => {
    const request = await read(params['uid']);
    await requireAllowed(visit, request);
    return connectPage(visit, request);
  });

  site.post(
    'console-agent-connect-answer',
    path,
    async (visit, sent) => {
      const request = await read(sent.params['uid']);
      const interaction = await provider.Interaction.find(request.uid);
      if (!interaction) throw gone();
      const answerWith = async (
        result: NonNullable<typeof interaction.result>,
        words: string,
      ): Promise<Page> => {
        interaction.result = result;
        await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
        // A form may not be redirected to another site, so the page leads on by itself.
        return { title: words, content: <RedirectNow to={interaction.returnTo} /> };
      };
      if (sentText(sent, 'answer') === 'refuse')
        return answerWith(
          { error: 'access_denied', error_description: 'the person declined' },
          'Not connected',
        );
      await requireAllowed(visit, request);
      const scopes = agentScopes.filter((each) => sentText(sent, `scope_${each}`) === 'on');
      if (scopes.length === 0) {
        const error = new ApiError('required', 'Choose at least one right, or cancel.', 'scope_read');
        return { ...connectPage(visit, request, error), status: 422 };
      }
      const { clientId, clientName } = request;
      const sessionId = await database.write(visit.caller(consoleReaders), async (trx) => {
        const { id } = await trx.one(openAgentSession(clientId, clientName, scopes));
        if (id === null) throw new ApiError('forbidden', 'You cannot connect an agent.');
        await trx.count(
          recordAuditEntry('session-create', id, {
            profile_id: visit.session.profile_id,
            label: clientName,
            agent: clientId,
            scopes,
          }),
        );
        return id;
      });
      const accountId = visit.session.profile_id;
      const grant = new provider.Grant({ accountId, clientId });
      grant.jti = sessionId;
      // The server knows the same scopes as scopes of its own and of the resource.
      const granted = scopes.join(' ');
      const rejected = agentScopes.filter((each) => !scopes.includes(each)).join(' ');
      const resource = resourceOf(publicOrigin);
      grant.addOIDCScope(`offline_access ${granted}`);
      grant.rejectOIDCScope(rejected);
      grant.addResourceScope(resource, granted);
      grant.rejectResourceScope(resource, rejected);
      await grant.save();
      return answerWith(
        { login: { accountId, remember: false }, consent: { grantId: sessionId } },
        'Connected',
      );
    },
    { roles: consoleReaders },
  );
}

function connectPage(visit: ConsoleVisit, request: Request, error?: ApiError): Page {
  const { clientName, publisher, returnHost, asked, uid } = request;
  const { name, email, environment } = visit.session;
  return {
    title: `Connect ${clientName}?`,
    content: (
      <Panel>
        <p>
          {clientName} will act as {name ?? email} ({roleNames[visit.role] ?? visit.role}) at{' '}
          {visit.merchant.name} in the {environment} environment, with your rights and never more.
        </p>
        <Facts
          entries={[
            ['Published by', publisher ?? 'Unknown. The app registered itself, so its name is not verified.'],
            ['Returns to', returnHost],
          ]}
        />
        <p>Choose what it may do.</p>
        <Form path={`${connectPath}/${uid}`} names={['scope_read']} error={error}>
          {agentScopes.map((each) => (
            <Checkbox name={`scope_${each}`} label={scopeTexts[each]} isChecked={asked.includes(each)} />
          ))}
          <Submit>Connect</Submit>
        </Form>
        <div class="acts-row">
          <PostButton path={`${connectPath}/${uid}`} label="Cancel" fields={{ answer: 'refuse' }} />
        </div>
      </Panel>
    ),
  };
}
