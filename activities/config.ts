import { z } from 'zod';
import { publicOrigin } from '../api/platform/text/public-origin';
import { checkTemporal, temporalVariables } from '../api/platform/text/temporal-variables';
import { readVariables } from '../api/platform/text/variables';
import { addressRanges, portList } from '../api/platform/text/webhook-url';
import { objectStoreLocation } from '../db/platform/object-location';
import { jwkSet } from '../db/platform/tokens';

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const port = z.coerce.number().int().min(1).max(65_535);
const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a number in international form, as +15005550006');
const price = z.coerce.number().min(0).max(100_000).optional();

/** The environment variables of the worker process. docs/configuration.md shows their descriptions as a table. */
export const workerVariables = z.object({
  DATABASE_URL: z
    .url()
    .describe('Postgres, as `app_worker_login`; may lead to PgBouncer (docs/operations.md)'),
  DATABASE_DIRECT_URL: z
    .url()
    .optional()
    .describe(
      'Postgres itself, as `app_worker_login`, for LISTEN and session locks; if unset, `DATABASE_URL`',
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Database connections of each process'),
  ...temporalVariables,
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must have only letters, digits, dashes and underscores')
    .optional()
    .describe(
      'Turns on the versioning of workers (docs/operations.md): name of the Worker Deployment, the same for all builds',
    ),
  BUILD_ID: z
    .string()
    .regex(/^[\w.-]{0,100}$/, 'must have only letters, digits, dots, dashes and underscores')
    .default('')
    .describe(
      'Names the build, for example by its git hash; required with `TEMPORAL_DEPLOYMENT_NAME`. Images may contain it',
    ),
  SEALING_KEYS: z
    .string()
    .min(1)
    .describe(
      'Encryption keys as `name:base64` of 32 bytes, comma separated; the first encrypts, all decrypt',
    ),
  PUBLIC_ORIGIN: publicOrigin.describe('Public origin of the API and the console; mails link to it'),
  PORTAL_ORIGIN: publicOrigin.describe('Origin of the pages for candidates and learners; mails link to it'),
  LINK_SIGNING_KEYS: jwkSet.describe(
    'JWK set of ES256 private keys with `kid`, or the path of its file: they sign the links in mails',
  ),
  OBJECT_STORE: objectStoreLocation.describe('Same as for the API: where recordings are stored'),
  OPENAI_API_KEY: z.string().min(1).describe('API key of the model provider'),
  OPENAI_BASE_URL: z.url().optional().describe('Base URL of an OpenAI-compatible server; if unset, OpenAI'),
  OPENAI_MODEL: z
    .string()
    .min(1)
    .default('gpt-4.1-mini')
    .describe('Model for drafts of interviews and for decisions in a running interview'),
  OPENAI_SPEECH_MODEL: z
    .string()
    .min(1)
    .default('tts-1')
    .describe('Model that speaks questions; it should support `speed`'),
  OPENAI_TRANSCRIPTION_MODEL: z
    .string()
    .min(1)
    .default('gpt-4o-mini-transcribe')
    .describe('Model that transcribes answers'),
  AI_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe('Concurrency limit for calls of the model, per process'),
  LIVE_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe(
      'Concurrency limit for decisions that candidates wait for, per process; not part of `AI_CONCURRENCY`',
    ),
  SCORING_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe(
      'Concurrency limit for judgements of answers, per process, each with three calls of the model; not part of `AI_CONCURRENCY`',
    ),
  OPENAI_PROMPT_PRICE: price.describe(
    'Price of a million prompt tokens in USD; if unset, scoring has no cost',
  ),
  OPENAI_COMPLETION_PRICE: price.describe('Price of a million completion tokens in USD'),
  SENDGRID_API_KEY: z.string().min(1).describe('API key of the mail provider'),
  SENDGRID_BASE_URL: z
    .url()
    .optional()
    .describe(
      'Base URL of the mail provider, for example for the EU region; if unset, https://api.sendgrid.com',
    ),
  MAIL_FROM: z.email().describe('Sender address of all mails; verify it with the mail provider'),
  MAILS_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .describe('Mails per second, per process'),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
    .optional()
    .describe('Account at Twilio, which sends SMS and WhatsApp messages; if unset, none are sent'),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional().describe('Auth token of the account; the API needs it too'),
  TWILIO_FROM: phoneNumber.optional().describe('Number that sends SMS, as `+15005550006`'),
  TWILIO_WHATSAPP_FROM: phoneNumber
    .optional()
    .describe('Number that sends WhatsApp messages; if set, messages go out by WhatsApp and not by SMS'),
  TWILIO_URL: httpAddress
    .optional()
    .describe(
      'Base URL of the message provider, for example for another region; if unset, https://api.twilio.com',
    ),
  HEYGEN_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('API key of HeyGen, which renders questions as videos; if unset, the drawn figure speaks them'),
  HEYGEN_AVATAR_ID: z.string().min(1).optional().describe('Avatar that speaks in the videos'),
  HEYGEN_VOICE_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Voice of the videos; choose one that speaks the languages of your interviews'),
  HEYGEN_URL: httpAddress
    .optional()
    .describe(
      'Base URL of the video provider; files may come from it, too; if unset, https://api.heygen.com',
    ),
  HEYGEN_MINUTE_PRICE: price.describe('Price of a minute of video in USD; if unset, videos have no cost'),
  SUPPORT_DESK_BASE_URL: httpAddress
    .optional()
    .describe(
      'Address of the support desk, for example `https://company.zendesk.com`; if unset, technical issues wait',
    ),
  SUPPORT_DESK_USER: z
    .email()
    .optional()
    .describe('Email address of the agent who opens conversations at the support desk'),
  SUPPORT_DESK_TOKEN: z.string().min(1).optional().describe('API token of the agent'),
  FEATURE_BOARD_BASE_URL: httpAddress
    .optional()
    .describe('Address of a feature board with the API of Canny; for Canny itself `https://canny.io`'),
  FEATURE_BOARD_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('API key of the feature board; required with `FEATURE_BOARD_BASE_URL`'),
  FEATURE_BOARD_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Board for feature requests; required with `FEATURE_BOARD_BASE_URL`'),
  WEBHOOK_SHARDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe('Number of webhook senders, distributed over all workers; must be the same for every worker'),
  WEBHOOK_ALLOWED_RANGES: addressRanges
    .default([])
    .describe('Private addresses that may receive webhooks, as CIDR ranges, comma separated'),
  WEBHOOK_ALLOWED_PORTS: portList
    .default([])
    .describe('Ports for webhooks in addition to 443, comma separated; `*` allows any'),
  WEBHOOK_ALLOW_HTTP: z.enum(['true', 'false']).default('false').describe('`true` allows webhooks over http'),
  WEBHOOK_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .max(3_650)
    .default(90)
    .describe('Days that deliveries and their attempts are kept; they are deleted by whole months'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/metrics`, `/healthz` and `/readyz`'),
  METRICS_PORT: port.default(9_465).describe('Port of `/metrics`, `/healthz` and `/readyz`'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(65)
    .describe('Seconds that running activities get to finish at shutdown'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
});
export type WorkerConfig = z.output<typeof workerVariables>;

/** Groups of variables that are set together: if the first variable of a group is set, the others are required. */
const inGroups = [
  ['TEMPORAL_DEPLOYMENT_NAME', 'BUILD_ID'],
  ['SUPPORT_DESK_BASE_URL', 'SUPPORT_DESK_USER', 'SUPPORT_DESK_TOKEN'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['HEYGEN_API_KEY', 'HEYGEN_AVATAR_ID', 'HEYGEN_VOICE_ID'],
  ['OPENAI_PROMPT_PRICE', 'OPENAI_COMPLETION_PRICE'],
  ['FEATURE_BOARD_BASE_URL', 'FEATURE_BOARD_KEY', 'FEATURE_BOARD_ID'],
] as const;

/** Reads the worker's environment variables. Throws an error with one line for each invalid variable. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const variables = workerVariables
    .superRefine((set, context) => {
      for (const [address, ...others] of inGroups)
        for (const name of others)
          if (set[address] !== undefined && (set[name] === undefined || set[name] === ''))
            context.addIssue({ code: 'custom', path: [name], message: `is required with ${address}` });
    })
    .superRefine(checkTemporal);
  return readVariables(variables, environment);
}
