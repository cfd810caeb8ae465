import path from 'node:path';
import { z } from 'zod';
import { readUrl } from '../db/platform/read-url';
import { objectStoreHint, objectStoreLocation } from '../db/platform/object-location';
import type { NamedPort } from './ports';
import { StartError } from './start-error';

const portMessage = 'must be a port, a whole number from 1 to 65535';
const port = z
  .string()
  .regex(/^\d{1,5}$/, portMessage)
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, portMessage);
const postgresUrl = z.string().refine((value) => {
  const url = readUrl(value);
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== '' && url.pathname.length > 1;
}, 'must be an address like postgres://user:password@host:5432/database');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const objectStore = z
  .string()
  .refine((value) => objectStoreLocation.safeParse(value).success, objectStoreHint);
const hostAndPort = z.string().regex(/^[^\s:/]+:\d{1,5}$|^\[[^\s\]]+\]:\d{1,5}$/, 'must be host:port');

const variables = z.object({
  PORT: port.default(8080),
  METRICS_PORT: port.optional(),
  WORKER_METRICS_PORT: port.optional(),
  FAKES_PORT: port.default(8081),
  POSTGRES_PORT: port.default(5433),
  DATABASE_URL: postgresUrl.optional(),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  LOCAL_DIR: z.string().default('.local'),
  OBJECT_STORE: objectStore.optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_MODEL: z.string().optional(),
  SENDGRID_API_KEY: z.string().optional(),
  SENDGRID_BASE_URL: httpUrl.optional(),
  SUPPORT_DESK_BASE_URL: httpUrl.optional(),
  SUPPORT_DESK_USER: z.string().optional(),
  SUPPORT_DESK_TOKEN: z.string().optional(),
  FEATURE_BOARD_BASE_URL: httpUrl.optional(),
  FEATURE_BOARD_KEY: z.string().optional(),
  FEATURE_BOARD_ID: z.string().optional(),
  // The processes validate these themselves. The stack only passes them on.
  SENDGRID_EVENT_KEY: z.string().optional(),
  MAIL_FROM: z.string().optional(),
  MAILS_PER_SECOND: z.string().optional(),
  RATE_LIMIT_PER_MINUTE: z.string().optional(),
  ADDRESS_LIMIT_PER_MINUTE: z.string().optional(),
  LOG_LEVEL: z.string().optional(),
  TRUSTED_PROXIES: z.string().optional(),
  DNS_SERVERS: z.string().optional(),
  DATABASE_POOL_SIZE: z.string().optional(),
});

/** Values that are never printed on the terminal. */
const secretVariables = new Set([
  'DATABASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'SENDGRID_API_KEY',
  'SENDGRID_BASE_URL',
  'SUPPORT_DESK_BASE_URL',
  'SUPPORT_DESK_TOKEN',
  'FEATURE_BOARD_KEY',
  'FEATURE_BOARD_BASE_URL',
  'OBJECT_STORE',
]);

export type Settings = Omit<z.infer<typeof variables>, 'METRICS_PORT' | 'WORKER_METRICS_PORT'> & {
  METRICS_PORT: number;
  WORKER_METRICS_PORT: number;
  /** Start with empty data. */
  fresh: boolean;
};

/**
 * Reads the stack's settings from the environment and the arguments after `npm start --`. An empty variable counts as not
 * set. Throws a StartError that names the first invalid variable.
 */
export function readSettings(environment: NodeJS.ProcessEnv, args: string[]): Settings {
  const unknown = args.find((argument) => argument !== '--fresh');
  if (unknown !== undefined)
    throw new StartError(
      `"${unknown}" is not an argument of npm start: there is only --fresh, after two dashes.`,
    );
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = variables.safeParse(set);
  if (!parsed.success) throw new StartError(sentenceFor(parsed.error, set));
  const { PORT, METRICS_PORT, WORKER_METRICS_PORT, LOCAL_DIR, ...others } = parsed.data;
  return {
    ...others,
    PORT,
    // Derived from PORT, so that a second stack with another PORT does not conflict with the first.
    METRICS_PORT: METRICS_PORT ?? beside(PORT, 1_000),
    WORKER_METRICS_PORT: WORKER_METRICS_PORT ?? beside(PORT, 1_001),
    LOCAL_DIR: path.resolve(LOCAL_DIR),
    fresh: args.includes('--fresh'),
  };
}

/** Returns the ports on which this stack will listen. Those of an outside database or Temporal are not included. */
export function portsOf(settings: Settings): NamedPort[] {
  const named = ['PORT', 'METRICS_PORT', 'WORKER_METRICS_PORT', 'FAKES_PORT'] as const;
  const postgres = settings.DATABASE_URL === undefined ? (['POSTGRES_PORT'] as const) : [];
  const temporal =
    settings.TEMPORAL_ADDRESS === undefined ? (['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const) : [];
  return [...named, ...postgres, ...temporal].map((variable) => ({ variable, port: settings[variable] }));
}

function beside(value: number, distance: number): number {
  return value + distance > 65_535 ? value + distance - 2_000 : value + distance;
}

function sentenceFor(error: z.ZodError, set: Record<string, string | undefined>): string {
  const [issue] = error.issues;
  const variable = String(issue?.path[0]);
  const given = secretVariables.has(variable) ? '' : `, not "${set[variable]}"`;
  return `${variable} ${issue?.message}${given}.`;
}
