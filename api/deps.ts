import type { Client } from '@temporalio/client';
import type { Database } from '../db/platform/database';
import type { LinkTokens } from '../db/platform/link-tokens';
import type { ObjectStore } from '../db/platform/object-store';
import type { Seal } from '../db/platform/sealed';
import type { TaskQueues } from '../workflows/ids';
import type { Circuit } from './platform/http/circuit';
import type { LastUse } from './platform/http/last-use';
import type { ApiMetrics } from './platform/http/metrics';
import type { ProvenCredentialCache } from './platform/http/proven-credentials';
import type { BulkQueue } from './platform/operation/bulk';
import type { WebhookTargets } from './platform/text/webhook-url';
import type { ReportResults } from './reports/runs/result-cache';

/** The dependencies of operations, which `main.ts` creates once. */
export type OperationDeps = {
  database: Database;
  seal: Seal;
  links: LinkTokens;
  objects: ObjectStore;
  /** The address of the console, without a slash at the end. */
  consoleUrl: string;
  temporal: Client;
  queues: TaskQueues;
  metrics: Pick<ApiMetrics, 'countWorkflow'>;
  /**
   * The circuit breaker for calls that ask Temporal for an interview's next decision. It skips them while Temporal or
   * the worker does not respond.
   */
  decisions: Circuit;
  lastUse: LastUse;
  proven: ProvenCredentialCache;
  bulk: BulkQueue;
  reportResults: ReportResults;
  /** The most account invitations that a merchant in production may mail in 24 hours. */
  accountInvitationsPerDay: number;
  /** The address of the live process for pages, or undefined if the deployment has none. */
  liveOrigin: string | undefined;
  /** True if the deployment has a support desk. */
  supportDesk: boolean;
  /** True if the deployment has a feature board. Only the worker calls the board. */
  featureBoard: boolean;
  /** True if the deployment sends SMS or WhatsApp messages. Only the worker sends them. */
  messages: boolean;
  /** The hosts and ports that webhooks may reach. The worker gets the same setting. */
  webhookTargets: WebhookTargets;
};
