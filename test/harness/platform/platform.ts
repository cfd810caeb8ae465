import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { StackDescription } from '../../../local/stack-file';
import { inTime } from '../wait-for';
import { connectDatabase } from './database';
import type { DatabaseUrls, TestDatabase } from './database';
import { fakesAt } from './fakes';
import type { FakeCalls } from './fakes';

export type Reply = {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: string; name?: string };
  text: string;
};
export type CallOptions = {
  token?: string;
  query?: Record<string, string>;
  body?: unknown;
  /** The bytes of the request. If set, they are sent instead of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** What a process needs to know of a platform to use it. */
export type PlatformFacts = {
  stack: StackDescription;
  databaseUrls: DatabaseUrls;
  signingKeysFile: string;
  linkKeysFile: string;
  sealingKeys: string;
  /** The port to which the API sends live conversations, if there are any. Nothing listens there until a test file starts a live process. */
  livePort: number;
  /** The variables of a live process. */
  liveVariables: NodeJS.ProcessEnv;
  /** The folder of the object store. It does not exist until the first file is stored. */
  objectsFolder: string;
  /** The address of the API's metrics. */
  metricsUrl: string;
  workerMetricsUrl: string;
  /** The private key that signs the events of the mail provider, as PEM. */
  mailEventPem: string;
  /** The token with which the message provider signs calls of our hook. */
  messageToken: string;
  videoSecret: string;
  /** The files with the output of the first API and the first worker. */
  apiLog: string;
  workerLog: string;
};

export type Platform = PlatformFacts &
  FakeCalls & {
    mailEventKey: KeyObject;
    database: TestDatabase;
    /** Calls `/v1/<operation>`, with POST if there is a body, and as `merchant_owner` by default. */
    call: (operation: string, options?: CallOptions) => Promise<Reply>;
    /** Returns what the first API has written since the test file began. */
    readLog: () => string;
    readWorkerLog: () => string;
  };

/** Returns the calls of a running platform. */
export function connectPlatform(
  facts: PlatformFacts,
  database: TestDatabase = connectDatabase(facts.databaseUrls),
): Platform {
  const { stack } = facts;
  return {
    ...facts,
    ...fakesAt(stack.fakes_url),
    mailEventKey: createPrivateKey(facts.mailEventPem),
    database,
    call: (operation, call = {}) =>
      inTime(`the reply of ${operation}`, callOperation(stack, operation, call), maxCallMs),
    readLog: readerOf(facts.apiLog),
    readWorkerLog: readerOf(facts.workerLog),
  };
}

function readerOf(file: string): () => string {
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const before = read().length;
  return () => read().slice(before);
}

/**
 * A fault that delays the provider's responses until `clearFaults`, so that a test can act while no response has
 * arrived. Calls to the model time out after 20 s and calls to other providers after 10 s; then they are retried.
 */
export const held = { delay_ms: 600_000, times: 1_000 };

/** How long a test waits for a reply. The API ends every request within 60 seconds, so this is a little longer. */
const maxCallMs = 65_000;

async function callOperation(stack: StackDescription, operation: string, call: CallOptions): Promise<Reply> {
  const hasBody = call.body !== undefined || call.rawBody !== undefined;
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : '';
  const response = await fetch(`${stack.base_url}/${operation}${query}`, {
    method: hasBody ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${call.token ?? stack.tokens.merchant_owner}`,
      // Every call has the same id, because error bodies contain the id and tests compare whole replies.
      'x-request-id': 'a-call-of-the-tests',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    ...(hasBody ? { body: call.rawBody ?? JSON.stringify(call.body) } : {}),
    ...(call.signal ? { signal: call.signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseObject(text) };
}

function parseObject(text: string): Reply['body'] {
  try {
    return JSON.parse(text) as Reply['body'];
  } catch {
    return {};
  }
}

/** Returns a body that `job-interview-create` accepts. */
export const newInterview = (stack: StackDescription, more: Record<string, unknown> = {}) => ({
  name: 'Backend engineer',
  location: 'Amsterdam',
  interview_template_id: stack.template_ids.interactive_avatar_1,
  platform_language_code: 'en',
  status: 'active',
  type: 'interview',
  visibility: 'merchant_public',
  interview_length: 3,
  ...more,
});
