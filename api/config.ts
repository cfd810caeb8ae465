import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { objectStoreLocation } from '../db/object-location';
import { jwkSet } from '../db/tokens';
import { publicOrigin } from './contracts/public-origin';
import { readUrl } from './contracts/read-url';
import { addressRanges, portList } from './contracts/webhook-url';

const port = z.coerce.number().int().min(1).max(65_535);
const cidrList = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .refine(
    (entries) =>
      entries.every((entry) => {
        const [address = '', prefix = '0', ...more] = entry.split('/');
        const bits = isIP(address) === 6 ? 128 : 32;
        return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
      }),
    'must be addresses or CIDR ranges, comma separated',
  );

const verificationKey = z.string().transform((value, context): KeyObject => {
  try {
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Said below.
  }
  context.addIssue({ code: 'custom', message: 'must be a P-256 public key, base64 of its DER form' });
  return z.NEVER;
});

/** The variables of the API process. Descriptions become the README's table. */
export const apiVariables = z.object({
  PUBLIC_ORIGIN: publicOrigin.describe(
    'Origin that clients see; https unless on loopback. The base address is `<origin>/v1`',
  ),
  PORTAL_ORIGIN: publicOrigin.describe(
    'Origin of the pages that candidates and learners see, on another host name than `PUBLIC_ORIGIN`',
  ),
  PORTAL_MERCHANT_ID: z
    .guid('must be the id of a merchant')
    .toLowerCase()
    .optional()
    .describe(
      'Merchant whose catalogue is at `PORTAL_ORIGIN`; without it catalogues are at the portal domains of merchants alone',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: port.default(8_080).describe('Port to listen on'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/metrics`'),
  METRICS_PORT: port.default(9_464).describe('Port of `/metrics`'),
  DATABASE_URL: z.url().describe('Postgres, as `app_api_login`'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Connections of one process; visitors of catalogues have half of them at most'),
  TEMPORAL_ADDRESS: z.string().min(1).describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace'),
  TEMPORAL_UI_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a Temporal UI, as https://temporal.example.com',
    })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('The Temporal UI that the console links to; without it ids of workflows are shown alone'),
  TEMPORAL_TASK_QUEUE_PREFIX: z
    .string()
    .default('')
    .describe('Keeps deployments apart that share a namespace'),
  TOKEN_SIGNING_KEYS: jwkSet.describe(
    'JWK set of ES256 private keys with `kid`, or its file; the first signs, all verify',
  ),
  LINK_SIGNING_KEYS: jwkSet.describe(
    'JWK set like the one above, of other keys: they sign the links of candidates, invitations and files',
  ),
  SEALING_KEYS: z
    .string()
    .min(1)
    .describe('`name:base64` of 32 bytes, comma separated; the first seals, all open'),
  OBJECT_STORE: objectStoreLocation.describe(
    'Where recordings lie: `file:///folder`, the same for all processes and served at `<origin>/files`, or ' +
      '`s3://bucket?region=…` (`&endpoint=https://…` for another server) with credentials that the AWS SDK finds by itself',
  ),
  SENDGRID_EVENT_KEY: verificationKey
    .optional()
    .describe("SendGrid's verification key of signed events, as its console shows it; without it 503"),
  SUPPORT_DESK_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('As the worker has it; the API only looks whether there is one, and answers 503 without'),
  FEATURE_BOARD_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe('As the worker has it; without it feature requests are 503'),
  WEBHOOK_ALLOWED_RANGES: addressRanges
    .default([])
    .describe(
      'As the worker has it: addresses that are not public and may be of a webhook, CIDR ranges, comma separated',
    ),
  WEBHOOK_ALLOWED_PORTS: portList
    .default([])
    .describe('As the worker has it: ports of webhooks beside 443, comma separated; `*`: any'),
  WEBHOOK_ALLOW_HTTP: z
    .enum(['true', 'false'])
    .default('false')
    .describe('As the worker has it; `true`: webhooks may go by http'),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(600)
    .describe('Requests a minute of one session or service key in one process; 0 = off'),
  TRUSTED_PROXIES: cidrList.default([]).describe('CIDR ranges whose `X-Forwarded-*` is believed'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
});
export type ApiConfig = z.output<typeof apiVariables>;

/** Reads the API's variables. Throws one line per bad variable. */
export function readApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  const parsed = apiVariables
    .refine(
      // Asked of malformed ones too, which are told by their own issue.
      ({ PUBLIC_ORIGIN, PORTAL_ORIGIN }) =>
        readUrl(PUBLIC_ORIGIN)?.hostname !== readUrl(PORTAL_ORIGIN)?.hostname || !readUrl(PUBLIC_ORIGIN),
      {
        path: ['PORTAL_ORIGIN'],
        error: 'must have another host name than PUBLIC_ORIGIN: it shows what merchants write',
      },
    )
    .safeParse(environment);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
}
