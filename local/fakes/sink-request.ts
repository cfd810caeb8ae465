import type { IncomingHttpHeaders } from 'node:http';

/** A request that the sink got. */
export type SinkRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: string;
};
