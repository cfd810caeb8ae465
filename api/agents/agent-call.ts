import { createHash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import { insertConfirmation, readAgentSwitch, consumeConfirmation } from '../../db/agents/agents';
import type { Agent, AgentScope } from '../../db/agents/agents';
import type { RequestMeter } from '../../db/platform/database';
import { hashSecret } from '../../db/platform/tokens';
import type { OperationDeps } from '../deps';
import type { Credential } from '../platform/http/credential';
import { limitError, rateKey } from '../platform/http/rate-limit';
import type { Limit } from '../platform/http/rate-limit';
import { toRequester } from '../platform/http/requester';
import { readJsonInput, runJsonInput } from '../platform/http/run-sent';
import { ApiError } from '../platform/operation/api-error';
import type { Operation } from '../platform/operation/define-operation';
import {
  isTeamInvitation,
  reachedPeople,
  requiredScopeOf,
  confirmationTextFor,
  peopleConfirmationText,
} from './rights';
import type { ToolResult } from './shape-result';

type Input = Readonly<Record<string, unknown>>;

/** A person's answer to a question of this server: undefined before it is asked, or if the client cannot ask. */
export type PersonsAnswer = 'accept' | 'decline' | undefined;

/** One call of a tool, by the agent of a credential. */
export type AgentCall = {
  deps: OperationDeps;
  credential: Credential;
  agent: Agent;
  meter: RequestMeter;
  signal: AbortSignal;
  answer: PersonsAnswer;
  /** Counts the people whom the agent reaches without a person's confirmation. */
  peopleLimit: Limit;
  /** Logs an error of the platform itself. */
  report: (error: unknown) => void;
  /** Takes an error that says that the credential is not valid any more. */
  refuse: (error: ApiError) => void;
};

/** Returns a result instead of the reply if a person has to confirm the call first. */
export type ReplyOrConfirmation =
  | { reply: unknown; pending?: undefined }
  | { reply?: undefined; pending: ToolResult };

/** Returns the input as the operation gets it. The agent acts at its own merchant unless the input names another one. */
const toInput = ({ agent }: AgentCall, { confirm: _confirm, ...input }: Input): Input =>
  agent.merchant_id === null || input['merchant_id'] !== undefined
    ? input
    : { ...input, merchant_id: agent.merchant_id };

/** Throws unless the person allowed the agent this scope. */
export function requireScope({ agent }: AgentCall, scope: AgentScope): void {
  if (!agent.scopes.includes(scope))
    throw new ApiError(
      'forbidden',
      `This connection may not do this: it lacks the scope \`${scope}\`. Ask the person to connect the agent again and to allow it.`,
    );
}

/** Returns the merchant of the call. Throws if the merchant has agents turned off in this environment. */
export async function requireMerchant(call: AgentCall, operation: Operation, sent: Input) {
  const { deps, credential, agent, meter } = call;
  const input = toInput(call, sent);
  // The person agreed to a connection to one merchant, and its owner's list of hosts was checked.
  if (
    credential.kind === 'user_session' &&
    agent.merchant_id !== null &&
    String(input['merchant_id']).toLowerCase() !== agent.merchant_id
  )
    throw new ApiError(
      'forbidden',
      'This connection is to another account. Leave merchant_id out, or ask the person to connect the agent to that account too.',
      'merchant_id',
    );
  if (credential.kind === 'user_session' && operation.serviceKeys === 'platform')
    throw new ApiError(
      'forbidden',
      'This connection is to one account, and the operation is about the platform. Use a service key of the platform.',
    );
  const merchantId = typeof input['merchant_id'] === 'string' ? input['merchant_id'] : null;
  const caller = { ...toRequester(credential, operation, { input, merchantId }, meter), agent: agent.agent };
  const scope = await deps.database.read({ ...caller, needsMerchant: true }, async (trx) => ({
    merchant: await trx.one(readAgentSwitch),
    role: (await trx.scope()).role,
  }));
  if (!scope.merchant.is_on)
    throw new ApiError(
      'forbidden',
      `Agents are turned off in ${credential.environment} for ${scope.merchant.name}. An owner can turn them on in the console, on the page Settings.`,
    );
  return { ...scope, caller, input };
}

/**
 * Calls an operation for an agent, with the roles, limits and audit entries of every other call. A call that a person
 * has to confirm does nothing and returns a preview, until it comes with the answer of the person or with the handle of
 * the preview.
 */
export async function callForAgent(
  call: AgentCall,
  operation: Operation,
  sent: Input,
): Promise<ReplyOrConfirmation> {
  requireScope(call, requiredScopeOf(operation));
  const { caller, input, merchant } = await requireMerchant(call, operation, sent);
  const { deps, credential, agent, signal, answer } = call;
  const handle = sent['confirm'];
  const argumentsHash = createHash('sha256')
    .update(canonicalize([operation.name, input]) ?? '')
    .digest();
  const use = async (text: string) =>
    deps.database.write(caller, (trx) => trx.maybeOne(consumeConfirmation(hashSecret(text), argumentsHash)));
  if (answer === 'decline') {
    if (typeof handle === 'string') await use(handle);
    throw new ApiError('forbidden', 'The person did not agree, so nothing was done. Do not try again.');
  }
  const question = agent.unattended_decisions ? undefined : await questionOf(call, operation, input);
  if (question !== undefined) {
    if (typeof handle !== 'string') {
      const confirm = `cf_${randomBytes(24).toString('base64url')}`;
      await deps.database.write(caller, (trx) =>
        trx.count(insertConfirmation(hashSecret(confirm), argumentsHash)),
      );
      return {
        pending: {
          preview: `${question} (account ${merchant.name}).${detailsOf(input, deps.consoleUrl)}`,
          confirm,
        },
      };
    }
    if (!(await use(handle)))
      throw new ApiError(
        'invalid_value',
        'confirm is unknown, expired, already used or for other arguments. Call without it to get a new preview, and ask the person again.',
        'confirm',
      );
  }
  const { idempotency_key: key, ...fields } = input;
  const reply = await runJsonInput(deps, operation, {
    credential,
    input: operation.method === 'GET' ? inQuery(fields) : fields,
    key:
      typeof key === 'string' && operation.method === 'POST' && !operation.isRead
        ? key.slice(0, 200)
        : undefined,
    toCaller: (read) => ({ ...toRequester(credential, operation, read, call.meter), agent: agent.agent }),
    signal,
  });
  return { reply };
}

/** Returns what a person has to confirm before the call, or undefined if the agent may do it by itself. */
async function questionOf(call: AgentCall, operation: Operation, input: Input): Promise<string | undefined> {
  const question = confirmationTextFor(operation, input);
  const people = reachedPeople(input);
  if (question === undefined && people.length === 0) return undefined;
  // A person is not asked about a call that would fail.
  readJsonInput(call.deps, operation, call.credential, input);
  if (question !== undefined) return question;
  try {
    // The headers of the reply are about the limit of calls.
    await call.peopleLimit.take(rateKey(call.credential), { setHeader: () => undefined }, people.length);
    return undefined;
  } catch (error) {
    limitError(error);
    return peopleConfirmationText(operation.name, input);
  }
}

/** The most characters of a preview's facts, and of each of them. A long one must not hide the others. */
const maxFacts = 1_000;
const maxFact = 200;

/**
 * Returns what a person needs to know before agreeing. It holds only what the call itself says, never words of candidates,
 * because those could mislead the person.
 */
function detailsOf({ merchant_id: _merchant, users, ...facts }: Input, consoleUrl: string): string {
  const id = facts['interview_result_id'];
  const rows: unknown[] = Array.isArray(users) ? users : [];
  const emails = [...rows.filter(isTeamInvitation), ...rows.filter((row) => !isTeamInvitation(row))]
    .slice(0, 3)
    .map((user: unknown) => (typeof user === 'object' && user && 'email' in user ? String(user.email) : '?'));
  const shortFacts = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const text = JSON.stringify(value) ?? '';
      return [name, text.length > maxFact ? `${text.slice(0, maxFact)}…` : value];
    }),
  );
  return [
    emails.length > 0 ? ` They include ${emails.join(', ')}.` : '',
    typeof id === 'string' ? ` The result is at ${consoleUrl}/results/${encodeURIComponent(id)}.` : '',
    ` Details: ${JSON.stringify(shortFacts).slice(0, maxFacts)}`,
  ].join('');
}

/** Returns the fields as the texts of a query. */
const inQuery = (fields: Input): Input =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
