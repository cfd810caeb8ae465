import type { IncomingHttpHeaders } from 'node:http';

/** A request that the sink received. */
export type SinkRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: string;
};
