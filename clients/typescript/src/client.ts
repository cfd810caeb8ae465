import type { CallOptions, Page, Query, Sent } from './call.js';
import { operations } from './generated/operations.js';
import type { Operations } from './generated/operations.js';
import type { SyncReply } from './generated/types.js';
import { createList } from './list.js';
import { createSync } from './sync.js';
import type { Sync } from './sync.js';
import { parseJson, textOf, Transport } from './transport.js';
import type { Settings } from './transport.js';

class Client {
  readonly #transport: Transport;
  readonly sync: Sync;

  constructor(settings: Settings) {
    this.#transport = new Transport(settings);
    const { merchantId } = settings;
    const merchant: Query = merchantId === undefined ? {} : { merchant_id: merchantId };
    for (const [method, described] of Object.entries(operations))
      Object.assign(this, { [method]: this.#method(described, merchant) });
    this.sync = createSync(this.#method('GET sync', merchant) as (query: object) => Promise<SyncReply>);
  }

  /** Returns the function of an operation, which the table describes. */
  #method(described: string, merchant: Query) {
    const [verb = '', name = '', ...flags] = described.split(' ');
    const call = async (input?: object, options?: CallOptions): Promise<unknown> => {
      const sent = { ...(flags.includes('all') ? {} : merchant), ...input };
      const content = verb === 'GET' ? { query: sent } : { body: sent };
      const reply = await this.#transport.send(verb, name, { ...content, options });
      return flags.includes('text') ? textOf(reply) : parseJson(reply);
    };
    const list = (query?: Query, options?: CallOptions) =>
      createList((page) => call(page, options) as Promise<Page<unknown>>, query);
    return flags.includes('list') ? list : call;
  }

  /**
   * Sends any call with the client's credential, limit and retries, and returns the reply with its headers. `path` is
   * relative to the base address. Throws an `ApiError` unless the status is 2xx, or 304 after `if-none-match`.
   */
  async raw(method: string, path: string, sent?: Sent): Promise<Response> {
    const { status, headers, bytes } = await this.#transport.send(method, path, sent);
    return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers });
  }
}

/** A client of the Interview and Coaching Platform API, with one method for each operation. */
export type InterviewPlatform = Client & Omit<Operations, 'sync'>;
export const InterviewPlatform = Client as new (settings: Settings) => InterviewPlatform;
