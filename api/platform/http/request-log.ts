import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import pino from 'pino';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { RequestMeter } from '../../../db/platform/database';
import { errorFacts } from '../../../db/platform/error-facts';
import type { ApiMetrics } from './metrics';

/** The facts that a request's log line and metrics contain besides its status and time. */
type RequestFacts = { operation: string; profileId: string | null; meter: RequestMeter };

const facts = new WeakMap<IncomingMessage, RequestFacts>();

/** Stores the facts of a request as soon as they are known. */
export const noteFacts = (request: IncomingMessage, noted: RequestFacts): void =>
  void facts.set(request, noted);

export const createLogger = (level: string, process = 'api'): Logger =>
  pino({ level, base: { process }, serializers: { err: errorFacts } });

const ownRequestId = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the caller's `x-request-id` if it is well formed, otherwise a new id. Every reply contains the id. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && ownRequestId.test(sent) ? sent : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
}

/**
 * Returns the log level of a request. A 503 is only a warning: an overload is expected, and any other cause of a 503
 * is logged as an error separately.
 */
function levelOf({ writableFinished, statusCode }: ServerResponse): 'info' | 'warn' | 'error' {
  if (!writableFinished || statusCode < 500) return 'info';
  return statusCode === 503 ? 'warn' : 'error';
}

/**
 * Writes one log line for each request: id, operation, merchant, profile, status and duration. Never logs a body, a
 * header or a query.
 */
export function requestLog(logger: Logger, metrics: ApiMetrics): RequestHandler {
  const describe = (
    request: IncomingMessage,
    response: ServerResponse,
    timing: { responseTime?: number },
  ) => {
    const known = facts.get(request);
    const operation = known?.operation ?? 'other';
    const ms = timing.responseTime ?? 0;
    const databaseMs = known?.meter.databaseMs ?? 0;
    // A caller that disconnected got no status. Proxies log 499 in this case.
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.countRequest(operation, status, ms, databaseMs);
    return {
      operation,
      method: request.method,
      status,
      ...(response.writableFinished ? {} : { aborted: true }),
      ms,
      database_ms: Math.round(databaseMs * 10) / 10,
      merchant_id: known?.meter.merchantId ?? null,
      profile_id: known?.profileId ?? null,
    };
  };
  return pinoHttp({
    logger,
    genReqId: requestId,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'request_id' },
    // The request object is left out, because it contains the credential and the query.
    serializers: { req: () => undefined, res: () => undefined, err: errorFacts },
    wrapSerializers: false,
    customLogLevel: (_request, response) => levelOf(response),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    customSuccessObject: describe,
    customErrorObject: (request, response, _error, timing: { responseTime?: number }) =>
      describe(request, response, timing),
  });
}
