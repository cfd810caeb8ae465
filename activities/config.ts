import { z } from 'zod';
import { publicOrigin } from '../api/contracts/public-origin';
import { addressRanges, portList } from '../api/contracts/webhook-url';
import { jwkSet } from '../db/tokens';

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const port = z.coerce.number().int().min(1).max(65_535);

/** The variables of the worker process. Descriptions become the README's table. */
export const workerVariables = z.object({
  DATABASE_URL: z.url().describe('Postgres, as `app_worker_login`'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Connections of one process'),
  TEMPORAL_ADDRESS: z.string().min(1).describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace'),
  TEMPORAL_TASK_QUEUE_PREFIX: z
    .string()
    .default('')
    .describe('Keeps deployments apart that share a namespace'),
  SEALING_KEYS: z
    .string()
    .min(1)
    .describe('`name:base64` of 32 bytes, comma separated; the first seals, all open'),
  PUBLIC_ORIGIN: publicOrigin.describe('Origin of the API, where the console is that mails link to'),
  PORTAL_ORIGIN: publicOrigin.describe('Origin of the pages that the links in mails open'),
  LINK_SIGNING_KEYS: jwkSet.describe(
    'JWK set of ES256 private keys with `kid`, or its file: they sign the links in mails',
  ),
  OPENAI_API_KEY: z.string().min(1).describe('Key of the model provider'),
  OPENAI_BASE_URL: z.url().optional().describe('Any OpenAI-compatible server; OpenAI itself when left out'),
  OPENAI_MODEL: z.string().min(1).default('gpt-4.1-mini').describe('Model of every call'),
  AI_CONCURRENCY: z.coerce.number().int().min(1).max(500).default(20).describe('Model activities at a time'),
  SENDGRID_API_KEY: z.string().min(1).describe('Key of the mail provider'),
  SENDGRID_BASE_URL: z
    .url()
    .optional()
    .describe('Another address of the mail provider, as for the EU region; SendGrid itself when left out'),
  MAIL_FROM: z.email().describe('Address that all mails come from; the mail provider has verified it'),
  MAILS_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .describe('Mails a second of one process'),
  FEATURE_BOARD_BASE_URL: httpAddress
    .optional()
    .describe(
      'As the API has it: the feature board, which speaks Canny’s API; Canny itself is https://canny.io',
    ),
  FEATURE_BOARD_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Key of the feature board; needed where there is one'),
  FEATURE_BOARD_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Board that feature requests are posted on; needed where there is one'),
  WEBHOOK_SHARDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe('Loops that send webhooks, shared out among the workers; the same number for all of them'),
  WEBHOOK_ALLOWED_RANGES: addressRanges
    .default([])
    .describe(
      'Addresses that are not public and may get webhooks all the same: CIDR ranges, comma separated',
    ),
  WEBHOOK_ALLOWED_PORTS: portList
    .default([])
    .describe('Ports of webhooks beside 443, comma separated; `*`: any'),
  WEBHOOK_ALLOW_HTTP: z.enum(['true', 'false']).default('false').describe('`true`: webhooks may go by http'),
  WEBHOOK_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .max(3_650)
    .default(90)
    .describe('Days that deliveries and their attempts are kept, by whole months'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/metrics`, `/healthz` and `/readyz`'),
  METRICS_PORT: port.default(9_465).describe('Port of `/metrics`, `/healthz` and `/readyz`'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(65)
    .describe('Time that running activities get at shutdown'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
});
export type WorkerConfig = z.output<typeof workerVariables>;

/** Reads the worker's variables. Throws one line per bad variable. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const parsed = workerVariables
    .refine(
      // Asked of malformed ones too, which are told by their own issue.
      ({ FEATURE_BOARD_BASE_URL: url, FEATURE_BOARD_KEY: key, FEATURE_BOARD_ID: id }) =>
        url === undefined || !URL.canParse(url) || (key !== undefined && id !== undefined),
      { path: ['FEATURE_BOARD_BASE_URL'], error: 'needs FEATURE_BOARD_KEY and FEATURE_BOARD_ID' },
    )
    .safeParse(environment);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
}
