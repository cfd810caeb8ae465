import { z } from 'zod';
import { jwkSet } from '../../db/platform/tokens';
import { publicOrigin } from '../platform/text/public-origin';
import { checkTemporal, temporalVariables } from '../platform/text/temporal-variables';
import { portVariable, readVariables } from '../platform/text/variables';

const count = z.coerce.number().int().min(1).max(100_000);

/** The environment variables of the live process. docs/configuration.md shows their descriptions as a table. */
export const liveVariables = z.object({
  PORTAL_ORIGIN: publicOrigin.describe('Same as for the API: where the pages are that may connect'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: portVariable.default(8_082).describe('Port to listen on; `LIVE_ORIGIN` of the API leads to it'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/metrics`'),
  METRICS_PORT: portVariable.default(9_466).describe('Port of `/metrics`'),
  DATABASE_URL: z.url().describe('Postgres, as `app_api_login`; may lead to PgBouncer (docs/operations.md)'),
  DATABASE_DIRECT_URL: z
    .url()
    .optional()
    .describe('Postgres itself, as `app_api_login`, for LISTEN; if unset, `DATABASE_URL`'),
  DATABASE_POOL_SIZE: count.max(200).default(10).describe('Database connections of each process'),
  ...temporalVariables,
  LINK_SIGNING_KEYS: jwkSet.describe('Same as for the API: they verify the tokens of pages'),
  OPENAI_API_KEY: z.string().min(1).describe('Same as for the worker: API key of the model provider'),
  OPENAI_BASE_URL: z.url().optional().describe('Base URL of an OpenAI-compatible server; if unset, OpenAI'),
  OPENAI_TRANSCRIPTION_MODEL: z
    .string()
    .min(1)
    .default('gpt-4o-mini-transcribe')
    .describe('Model that writes down what candidates say'),
  OPENAI_LISTENING_PRICE: z.coerce
    .number()
    .min(0)
    .max(100_000)
    .optional()
    .describe('Price of a minute of listening in USD; if unset, `model_call` has no cost of it'),
  LIVE_SESSIONS: count.default(200).describe('Live conversations of each process; more get a 503'),
  LIVE_SESSIONS_PER_MERCHANT: count
    .default(100)
    .describe('Live conversations of one merchant in each process; more get a 503'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
});
export type LiveConfig = z.output<typeof liveVariables>;

/** Reads the live process's environment variables. Throws an error with one line for each invalid variable. */
export function readLiveConfig(environment: NodeJS.ProcessEnv): LiveConfig {
  return readVariables(liveVariables.superRefine(checkTemporal), environment);
}
