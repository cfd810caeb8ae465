import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { RequestHandler, Response as Reply } from 'express';
import { findAgent } from '../../db/agents/agents';
import type { Agent } from '../../db/agents/agents';
import type { RequestMeter } from '../../db/platform/database';
import type { OperationDeps } from '../deps';
import type { AddressLimit } from '../platform/http/address-limit';
import type { Authenticate } from '../platform/http/authenticate';
import { bodyTextReader } from '../platform/http/body-text';
import type { Credential } from '../platform/http/credential';
import { onlyMethod } from '../platform/http/only-method';
import { parseJson } from '../platform/http/parse-json';
import { rateKey } from '../platform/http/rate-limit';
import type { CreateLimit, Limit } from '../platform/http/rate-limit';
import { noteFacts } from '../platform/http/request-log';
import { ApiError } from '../platform/operation/api-error';
import type { Operation } from '../platform/operation/define-operation';
import { createServer, createTools } from './mcp-server';
import { maxUnconfirmedPeople } from './rights';

/** The size limit of a request. 1,000 invitations take about 200 KiB. */
const maxBytes = 524_288;

type Authenticated = {
  credential: Credential;
  agent: Agent;
  meter: RequestMeter;
  report: (error: unknown) => void;
  refuse: (error: ApiError) => void;
};

type EndpointDeps = {
  deps: OperationDeps;
  operations: readonly Operation[];
  authenticate: Authenticate;
  addressLimit: AddressLimit;
  callLimit: Limit;
  createLimit: CreateLimit;
  origin: string;
};

/**
 * Creates the handlers of `/mcp`, the Model Context Protocol over HTTP without sessions (docs/agents.md). Each POST is
 * one request. Its credential is checked in the database before its body is read.
 */
export function createMcpEndpoint({
  deps,
  operations,
  authenticate,
  addressLimit,
  callLimit,
  createLimit,
  origin,
}: EndpointDeps): RequestHandler[] {
  const tools = createTools(operations, origin);
  const peopleLimit = createLimit('people of an agent', maxUnconfirmedPeople, undefined, 3_600);
  const readText = bodyTextReader(maxBytes);
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const authenticated = (authInfo as AuthInfo).extra as Authenticated;
      return createServer(tools, { deps, peopleLimit, ...authenticated }, era === 'modern');
    },
    { responseMode: 'json' },
  );

  const requireOrigin: RequestHandler = ({ headers }, _response, next) => {
    // A browser sends the origin of the page. Pages of other sites have no business here (DNS rebinding).
    if (headers.origin !== undefined && headers.origin !== origin)
      throw new ApiError('forbidden', 'Pages of other origins may not call this address.');
    next();
  };

  const serve: RequestHandler = async (request, response) => {
    const credential = response.locals['credential'] as Credential;
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
    const profileId = credential.kind === 'user_session' ? credential.profileId : null;
    noteFacts(request, { operation: 'mcp', profileId, meter });
    const [agent] = await deps.database.query(
      { kind: 'sign_in', meter },
      findAgent(
        credential.kind,
        credential.kind === 'user_session' ? credential.sessionId : credential.keyHash,
        credential.environment,
      ),
    );
    if (!agent) {
      deps.proven.forget(credential);
      throw credential.kind === 'user_session'
        ? new ApiError('token_revoked', 'The session has ended. Connect again.')
        : new ApiError('key_revoked', 'The service key is unknown or revoked.');
    }
    deps.proven.note(credential, deps.proven.merchantOf(credential));
    await callLimit.take(rateKey(credential), response);
    const body = parseJson(await readText(request, response));
    if (Array.isArray(body))
      throw new ApiError('invalid_json', 'Send one message at a time instead of a list.');
    noteFacts(request, { operation: operationOf(body), profileId, meter });
    if (credential.kind === 'user_session') deps.lastUse.note('session', credential.sessionId);
    const report = (err: unknown) => request.log.error({ err }, 'tool call failed');
    let refusal: ApiError | undefined;
    const refuse = (error: ApiError) => (refusal ??= error);
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => response.once('close', resolve)).then(() => gone.abort());
    const authInfo = {
      token: '',
      clientId: agent.agent,
      scopes: agent.scopes,
      extra: { credential, agent, meter, report, refuse },
    };
    const answer = await handler.fetch(
      new Request(new URL(request.originalUrl, origin), {
        method: 'POST',
        headers: pickHeaders(request.headers),
        body: '{}',
        signal: gone.signal,
      }),
      { authInfo: authInfo satisfies AuthInfo, parsedBody: body },
    );
    // The reply to a call of a tool is complete before it is sent, because a credential can end during the call, and clients
    // refresh their token or sign in again only after a 401.
    const isCall = operationOf(body) !== 'mcp';
    const bytes = isCall ? await Promise.race([answer.arrayBuffer(), closed]) : undefined;
    if (isCall && !bytes) return;
    if (refusal) {
      deps.proven.forget(credential);
      throw refusal;
    }
    if (credential.kind === 'service_key' && meter.callerId) deps.lastUse.note('service_key', meter.callerId);
    await send(response, bytes ? new Response(bytes, answer) : answer);
  };

  return [
    requireOrigin,
    onlyMethod('POST'),
    challenge(origin),
    addressLimit.authenticate(authenticate, deps.proven, (response, credential) => {
      response.locals['credential'] = credential;
    }),
    serve,
  ];
}

/** Tells clients where they can sign in, if the credential is refused. Express sets the header only for a 401. */
const challenge =
  (origin: string): RequestHandler =>
  (_request, response, next) => {
    response.locals['challenge'] =
      `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    next();
  };

/** Returns what the log calls a message: its method, and the tool of a call. */
function operationOf(body: unknown): string {
  const { method, params } = (typeof body === 'object' && body !== null ? body : {}) as {
    method?: unknown;
    params?: { name?: unknown };
  };
  if (method !== 'tools/call') return 'mcp';
  const name = String(params?.name);
  return /^[a-z_]{1,40}$/.test(name) ? `mcp ${name}` : 'mcp';
}

const passed = /^(accept|content-type|mcp-[a-z-]+)$/;
const pickHeaders = (headers: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    passed.test(name) && typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );

async function send(response: Reply, answer: Response): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (!answer.body) {
    response.end();
    return;
  }
  Readable.fromWeb(answer.body).pipe(response);
  await new Promise((resolve) => response.once('close', resolve));
}
