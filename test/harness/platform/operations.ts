import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Request } from 'express';
import type { OperationDeps } from '../../../api/deps';
import { operations } from '../../../api/operations';
import { checkRole, createAuthenticate } from '../../../api/platform/http/authenticate';
import { entityTag, readIfMatch } from '../../../api/platform/http/entity-tag';
import { errorBody, toApiError } from '../../../api/platform/http/error-reply';
import { createProvenCredentials } from '../../../api/platform/http/proven-credentials';
import { toRequester } from '../../../api/platform/http/requester';
import { runOperation } from '../../../api/platform/http/run-operation';
import { readJsonInput } from '../../../api/platform/http/run-sent';
import { createBulkQueue } from '../../../api/platform/operation/bulk';
import { addressRanges } from '../../../api/platform/text/webhook-url';
import { createReportResults } from '../../../api/reports/runs/result-cache';
import { createDecisionCircuit } from '../../../api/taking/decide-next';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { createObjectStore } from '../../../db/platform/object-store';
import { createSeal } from '../../../db/platform/sealed';
import { createAccessTokens, generateSigningKeys } from '../../../db/platform/tokens';
import { describeStack } from '../../../local/stack-file';
import { taskQueues } from '../../../workflows/ids';
import { createDatabase, openTestDatabase } from './database';
import type { TestDatabase } from './database';
import { infrastructure } from './infrastructure';
import { connectTemporal } from './patient-client';
import type { Platform, Reply } from './platform';

/** What tests of an operation need, whether it runs in the API or in this process. */
export type Operations = Pick<Platform, 'call' | 'database' | 'stack' | 'signingKeysFile' | 'sealingKeys'>;

/**
 * Opens the operations of the API in this process, on a database of their own with the rows of the seed. A call runs
 * the contract, the checks and the handler with a real credential, without HTTP. No worker runs, so rows that a worker
 * would take stay as they are. The text of a 500 is the stack of the error.
 */
export async function openOperations(
  more: Partial<OperationDeps> = {},
  opened?: TestDatabase,
): Promise<Operations> {
  const database = opened ?? (await createDatabase());
  const [origin, portal] = ['http://api.test', 'http://portal.test'];
  const id = randomBytes(6).toString('hex');
  const { folder, temporalAddress } = infrastructure();
  const [keys, linkKeys] = await Promise.all([generateSigningKeys(), generateSigningKeys()]);
  const sealingKeys = `test:${randomBytes(32).toString('base64')}`;
  const signingKeysFile = path.join(folder, `keys-${id}.json`);
  writeFileSync(signingKeysFile, JSON.stringify(keys), { mode: 0o600 });
  const deps: OperationDeps = {
    database: openTestDatabase(database.apiUrl),
    seal: createSeal(sealingKeys),
    links: await createLinkTokens(linkKeys, portal),
    objects: await createObjectStore(
      { kind: 'folder', folder: path.join(folder, `objects-${id}`) },
      linkKeys,
      origin,
    ),
    consoleUrl: `${origin}/console`,
    temporal: more.temporal ?? (await connectTemporal()),
    queues: taskQueues(`${id}-`),
    metrics: { countWorkflow: () => undefined },
    decisions: createDecisionCircuit(() => undefined),
    lastUse: { note: () => undefined, stop: async () => undefined },
    proven: createProvenCredentials(),
    bulk: createBulkQueue(10),
    reportResults: createReportResults(),
    accountInvitationsPerDay: 100_000,
    liveOrigin: undefined,
    supportDesk: true,
    featureBoard: true,
    messages: true,
    webhookTargets: {
      allowedRanges: addressRanges.parse('127.0.0.0/8'),
      allowedPorts: 'any',
      allowHttp: true,
    },
    ...more,
  };
  const stack = await describeStack({
    adminUrl: database.adminUrl,
    origin,
    portalOrigin: portal,
    temporalAddress,
    temporalUiUrl: '',
    fakesUrl: '',
    tokenSigningKeys: signingKeysFile,
  });
  const authenticate = createAuthenticate(await createAccessTokens(keys, origin));

  const run: Operations['call'] = async (name, { body, query, token, headers } = {}) => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const authorization = `Bearer ${token ?? stack.tokens.merchant_owner}`;
    // What JSON does not keep would not arrive.
    const input: unknown = JSON.parse(JSON.stringify(body ?? query ?? {}));
    try {
      const credential = await authenticate({ headers: { authorization } } as Request);
      checkRole(credential, operation);
      const { sent, parsed } = readJsonInput(deps, operation, credential, input);
      const call = {
        input: parsed.value,
        caller: toRequester(credential, operation, sent),
        bytes: Buffer.alloc(0),
        receivedAt: Date.now(),
        signal: new AbortController().signal,
      };
      const { reply, isReplay } = await runOperation(operation, deps, call, {
        key: headers?.['idempotency-key'],
        tags:
          operation.method === 'POST'
            ? readIfMatch({ headers: headers ?? {} } as Request, operation)
            : undefined,
        input,
      });
      return replyOf(200, reply, {
        etag: entityTag(JSON.stringify(reply)),
        ...(isReplay ? { 'idempotency-replayed': 'true' } : {}),
      });
    } catch (failure) {
      const error = toApiError(failure);
      const wait = error.retryAfterSeconds;
      const reply = replyOf(
        error.status,
        errorBody(error, 'a-call-of-the-tests'),
        wait === undefined ? {} : { 'retry-after': String(wait) },
      );
      return error.status === 500 ? { ...reply, text: String((failure as Error).stack) } : reply;
    }
  };
  return { call: run, database, stack, signingKeysFile, sealingKeys };
}

function replyOf(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const body = (typeof value === 'string' ? {} : JSON.parse(text)) as Reply['body'];
  return { status, text, body, headers: new Headers(headers) };
}
