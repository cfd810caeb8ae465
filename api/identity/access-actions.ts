import { z } from 'zod';
import { setAgentDecisions } from '../../db/agents/public';
import {
  countServiceKeys,
  insertServiceKey,
  lockServiceKeys,
  maxServiceKeys,
  insertSession,
  revokeServiceKey,
  revokeSession,
  setUnattendedDecisions,
} from '../../db/identity/access';
import { recordAuditEntry } from '../../db/platform/audit';
import { generateRefreshToken, generateServiceKey, hashSecret } from '../../db/platform/tokens';
import type { Role } from '../../db/platform/vocabulary';
import { ApiError } from '../platform/operation/api-error';
import { uuid } from '../platform/operation/vocabulary';
import type { Page } from '../platform/site/layout';
import { parseForm } from '../platform/site/parse-form';
import { sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import { consoleReaders, consoleWriters, ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { boundedText } from '../platform/text/bounded-text';
import { oneLine } from '../platform/text/one-line';

/** What the access page shows after a rejected form: the error, and what the person entered. */
export type AccessNote = {
  keyError?: ApiError | undefined;
  sessionError?: ApiError | undefined;
  entered?: Readonly<Record<string, string>>;
};

const name = boundedText(1_000).transform(oneLine).pipe(boundedText(100).min(1));
const newKey = z.object({ name });
const newSession = z.object({ label: name, profile_id: uuid });
const named = z.object({ id: uuid });

/** Adds the actions of the access page. After an action that creates a secret, the next page shows the secret once. */
export function addAccessActions(
  site: Site,
  { database, tokens }: ConsoleDeps,
  render: (visit: ConsoleVisit, note: AccessNote) => Promise<Page>,
): void {
  site.post(
    'console-key-create',
    '/access/keys/create',
    async (visit, sent) => {
      const entered = { name: sentText(sent, 'name') };
      const { value, error } = parseForm(newKey, entered);
      if (error) return render(visit, { keyError: error, entered });
      const key = generateServiceKey(visit.session.environment);
      const isCreated = await database.write(visit.caller(ownerRoles), async (trx) => {
        await trx.rows(lockServiceKeys);
        const live = await trx.one(countServiceKeys);
        if (live.count >= maxServiceKeys) return false;
        const { id } = await trx.one(insertServiceKey(value.name, hashSecret(key)));
        await trx.count(recordAuditEntry('service-key-create', id, { name: value.name }));
        return true;
      });
      if (!isCreated) return render(visit, { keyError: new ApiError('limit_reached', tooManyKeys), entered });
      return {
        goTo: '/access',
        flash: 'Service key created.',
        secret: { title: `Service key ${value.name}`, secrets: [['service_key', 'Service key', key]] },
      };
    },
    { roles: ownerRoles },
  );

  site.post(
    'console-key-revoke',
    '/access/keys/revoke',
    async (visit, sent) => {
      const id = idOf(sent);
      const revoked = await database.write(visit.caller(ownerRoles), async (trx) => {
        const row = await trx.maybeOne(revokeServiceKey(id));
        if (row) await trx.count(recordAuditEntry('service-key-revoke', id, { name: row.name }));
        return row;
      });
      if (!revoked) throw new ApiError('not_found', 'No active key has this ID.');
      return { goTo: '/access', flash: `Key ${revoked.name ?? 'without a name'} revoked.` };
    },
    { roles: ownerRoles },
  );

  for (const { what, set, act } of [
    { what: 'keys', set: setUnattendedDecisions, act: 'service-key-decisions' },
    { what: 'agents', set: setAgentDecisions, act: 'session-decisions' },
  ])
    site.post(
      `console-${what}-decisions`,
      `/access/${what}/decisions`,
      async (visit, sent) => {
        const id = idOf(sent);
        const unattended = sentText(sent, 'unattended') === 'true';
        const changed = await database.write(visit.caller(ownerRoles), async (trx) => {
          const row = await trx.maybeOne(set(id, unattended));
          if (row)
            await trx.count(recordAuditEntry(act, id, { name: row.name, unattended_decisions: unattended }));
          return row;
        });
        if (!changed) throw new ApiError('not_found', 'There is nothing with this ID that you can change.');
        const name = changed.name ?? 'without a name';
        return {
          goTo: '/access',
          flash: unattended ? `${name}: decides without asking.` : `${name}: asks before it decides.`,
        };
      },
      { roles: ownerRoles },
    );

  site.post('console-session-create', '/access/sessions/create', async (visit, sent) => {
    const entered = {
      label: sentText(sent, 'label'),
      profile_id: sentText(sent, 'profile_id') || visit.session.profile_id,
    };
    const { value, error } = parseForm(newSession, entered);
    if (error) return render(visit, { sessionError: error, entered });
    const refreshToken = generateRefreshToken();
    const opened = await database.write(visit.caller(consoleWriters), async (trx) => {
      const row = await trx.maybeOne(insertSession(value.profile_id, value.label, hashSecret(refreshToken)));
      if (row)
        await trx.count(
          recordAuditEntry('session-create', row.session_id, {
            profile_id: row.profile_id,
            label: value.label,
          }),
        );
      return row;
    });
    if (!opened) return render(visit, { sessionError: new ApiError('forbidden', refused), entered });
    const accessToken = await tokens.sign({
      profileId: opened.profile_id,
      sessionId: opened.session_id,
      role: opened.role,
      merchantId: opened.merchant_id,
      environment: opened.environment,
    });
    return {
      goTo: '/access',
      flash: 'API token created.',
      secret: {
        title: `API token ${value.label}`,
        secrets: [
          ['access_token', 'Access token (valid for one hour)', accessToken],
          ['refresh_token', 'Refresh token (for POST /auth/token)', refreshToken],
        ],
      },
    };
  });

  const revoke = (names: { page: string; path: string; done: string; roles: readonly Role[] }) =>
    site.post(
      names.page,
      names.path,
      async (visit, sent) => {
        const id = idOf(sent);
        const isRevoked = await database.write(visit.caller(names.roles), async (trx) => {
          const row = await trx.maybeOne(revokeSession(id));
          if (row?.is_revoked) await trx.count(recordAuditEntry('session-revoke', id));
          return row?.is_revoked === true;
        });
        if (!isRevoked)
          throw new ApiError('not_found', 'You have no session with this ID that you can revoke.');
        return { goTo: '/access', flash: names.done };
      },
      { roles: names.roles },
    );
  revoke({
    page: 'console-session-revoke',
    path: '/access/sessions/revoke',
    done: 'Session revoked.',
    roles: consoleWriters,
  });
  revoke({
    page: 'console-agent-revoke',
    path: '/access/agents/revoke',
    done: 'Agent disconnected.',
    roles: consoleReaders,
  });
}

const tooManyKeys = `This account has ${maxServiceKeys} service keys in this environment. Revoke one that you no longer use.`;
const refused =
  'You can create a token only for yourself and for active people whose account belongs to this merchant.';

/** Returns the id that the form sent. Throws 422 if it is not valid. */
function idOf(sent: RequestData): string {
  const { value, error } = parseForm(named, { id: sentText(sent, 'id') });
  if (error) throw error;
  return value.id;
}
