import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import type { ScopedEndpoint } from '../../../db/webhooks/scoped-endpoint';
import type { WebhookPost } from '../../providers/webhook-post';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';

export type SenderDeps = {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  /** The direct address of Postgres, for the connections that hold the shard locks. */
  directUrl: string;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  /**
   * Called with each endpoint that has deliveries to retry, after their outcomes were recorded. The result is not
   * awaited.
   */
  signal: (endpoint: ScopedEndpoint) => void;
  metrics: SenderMetrics;
  log: Logger;
  /** The milliseconds that requests in flight may take at shutdown. */
  graceMs: number;
};
