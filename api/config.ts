import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { z } from 'zod';
import { objectStoreLocation } from '../db/platform/object-location';
import { readUrl } from '../db/platform/read-url';
import { jwkSet } from '../db/platform/tokens';
import { publicOrigin } from './platform/text/public-origin';
import { checkTemporal, temporalVariables } from './platform/text/temporal-variables';
import { portVariable, readVariables } from './platform/text/variables';
import { addressRanges, portList } from './platform/text/webhook-url';

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);
const cidrList = list.refine(
  (entries) =>
    entries.every((entry) => {
      const [address = '', prefix = '0', ...more] = entry.split('/');
      const bits = isIP(address) === 6 ? 128 : 32;
      return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
    }),
  'must be addresses or CIDR ranges, comma separated',
);

function areNameServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

const verificationKey = z.string().transform((value, context): KeyObject => {
  try {
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // `addIssue` below reports the error.
  }
  context.addIssue({ code: 'custom', message: 'must be a P-256 public key, base64 of its DER form' });
  return z.NEVER;
});

/** The environment variables of the API process. docs/configuration.md shows their descriptions as a table. */
export const apiVariables = z.object({
  PUBLIC_ORIGIN: publicOrigin.describe(
    'Public origin of the API; https unless on loopback. The base address is `<origin>/v1`',
  ),
  PORTAL_ORIGIN: publicOrigin.describe(
    'Origin of the pages for candidates and learners; its host name must differ from that of `PUBLIC_ORIGIN`',
  ),
  PORTAL_MERCHANT_ID: z
    .guid('must be the id of a merchant')
    .toLowerCase()
    .optional()
    .describe(
      'Merchant whose catalogue is shown at `PORTAL_ORIGIN`; if unset, catalogues are shown only at portal domains',
    ),
  PORTAL_RESERVED_DOMAINS: list
    .transform((names) => names.map((name) => name.toLowerCase().replace(/^\.|\.$/g, '')))
    .default([])
    .describe(
      'Domains that no merchant may use for its portal, including their subdomains, comma separated; the hosts of ' +
        '`PUBLIC_ORIGIN` and `PORTAL_ORIGIN` are always reserved',
    ),
  DNS_SERVERS: list
    .refine(
      areNameServers,
      'must be IP addresses of name servers, as 10.0.0.2 or 10.0.0.2:5353, comma separated',
    )
    .default([])
    .describe(
      'Name servers to query for the TXT records of portal domains, comma separated; if unset, those of the machine',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: portVariable.default(8_080).describe('Port to listen on'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/metrics`'),
  METRICS_PORT: portVariable.default(9_464).describe('Port of `/metrics`'),
  DATABASE_URL: z.url().describe('Postgres, as `app_api_login`; may lead to PgBouncer (docs/operations.md)'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe(
      'Database connections of each process, which opens up to two more to count requests; each merchant, and all catalogue visitors together, get at most half of them',
    ),
  ...temporalVariables,
  TEMPORAL_UI_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a Temporal UI, as https://temporal.example.com',
    })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Temporal UI that the console links to; if unset, the console shows workflow ids without links',
    ),
  TOKEN_SIGNING_KEYS: jwkSet.describe(
    'JWK set of ES256 private keys with `kid`, or the path of its file; the first key signs access tokens, all verify them',
  ),
  LINK_SIGNING_KEYS: jwkSet.describe(
    'JWK set like `TOKEN_SIGNING_KEYS`, with different keys that sign links for candidates, invitations and files',
  ),
  SEALING_KEYS: z
    .string()
    .min(1)
    .describe(
      'Encryption keys as `name:base64` of 32 bytes, comma separated; the first encrypts, all decrypt',
    ),
  OBJECT_STORE: objectStoreLocation.describe(
    'Where recordings are stored: `file:///folder`, shared by all processes and served at `<origin>/files`, or ' +
      '`s3://bucket?region=…` (`&endpoint=https://…` for another server) with the credentials that the AWS SDK finds',
  ),
  SENDGRID_EVENT_KEY: verificationKey
    .optional()
    .describe(
      "SendGrid's verification key for signed events, as shown in its console; if unset, events get a 503",
    ),
  TWILIO_AUTH_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Same as for the worker: verifies what Twilio reports at `/hooks/twilio`; if unset, interviews cannot ask for SMS or WhatsApp messages',
    ),
  HEYGEN_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Secret of HeyGen's webhook endpoint `<origin>/hooks/heygen`, which reports finished videos; if unset, the worker only asks",
    ),
  LIVE_ORIGIN: z
    .url({ protocol: /^wss?$/, error: 'must be the address of the live process, as wss://live.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Address of the live process (docs/live.md) for the pages of candidates, as `wss://live.example.com`; if unset, answers are recorded and sent',
    ),
  SUPPORT_DESK_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Same as for the worker; if unset, technical issues get a 503'),
  FEATURE_BOARD_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe('Same as for the worker; if unset, feature requests get a 503'),
  WEBHOOK_ALLOWED_RANGES: addressRanges
    .default([])
    .describe(
      'Same as for the worker: private addresses that may receive webhooks, as CIDR ranges, comma separated',
    ),
  WEBHOOK_ALLOWED_PORTS: portList
    .default([])
    .describe(
      'Same as for the worker: ports for webhooks in addition to 443, comma separated; `*` allows any',
    ),
  WEBHOOK_ALLOW_HTTP: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Same as for the worker: `true` allows webhooks over http'),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(600)
    .describe(
      'Requests per minute for each session or service key, on `/v1` and on the console; 0 turns the limit off',
    ),
  ADDRESS_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(60)
    .describe(
      'Requests per minute for each client address without a valid credential (docs/security.md); 0 turns the limit off',
    ),
  AVATAR_VISITS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(600)
    .describe('Visits of one public avatar that begin in an hour; 0 turns the limit off'),
  JOB_APPLICATIONS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(200)
    .describe('New people whom one job takes by applications in a day; 0 turns the limit off'),
  JOB_APPLICATIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(20)
    .describe(
      'Applications that one client address may send in a day; 0, or 0 in `ADDRESS_LIMIT_PER_MINUTE`, turns the limit off',
    ),
  ACCOUNT_INVITATIONS_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(500)
    .describe('Invitations of team members and coaching users that one merchant may mail in 24 hours'),
  TRUSTED_PROXIES: cidrList
    .default([])
    .describe(
      'CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted; they must pass on the `Host` header',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
});
export type ApiConfig = z.output<typeof apiVariables>;

/**
 * Returns the host name of an origin. The value may have any type, because Zod also runs this check on values that
 * failed an earlier check.
 */
const hostOf = (origin: unknown): string | undefined => readUrl(String(origin))?.hostname;

/** Reads the API's environment variables. Throws an error with one line for each invalid variable. */
export function readApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  const variables = apiVariables
    .refine(
      // This check also runs for malformed origins, which other checks report.
      ({ PUBLIC_ORIGIN, PORTAL_ORIGIN }) =>
        hostOf(PUBLIC_ORIGIN) === undefined || hostOf(PUBLIC_ORIGIN) !== hostOf(PORTAL_ORIGIN),
      {
        path: ['PORTAL_ORIGIN'],
        error:
          'must have a different host name from PUBLIC_ORIGIN, because it serves content written by merchants',
      },
    )
    .superRefine(checkTemporal);
  return readVariables(variables, environment);
}
