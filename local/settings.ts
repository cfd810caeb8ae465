import path from 'node:path';
import { z } from 'zod';
import { checkTemporal, temporalTlsVariables } from '../api/platform/text/temporal-variables';
import { objectStoreHint, objectStoreLocation } from '../db/platform/object-location';
import { readUrl } from '../db/platform/read-url';
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
const objectStore = z
  .string()
  .refine((value) => objectStoreLocation.safeParse(value).success, objectStoreHint);
const isTlsVariable = (name: string) => name in temporalTlsVariables;
const hostAndPort = z.string().regex(/^[^\s:/]+:\d{1,5}$|^\[[^\s\]]+\]:\d{1,5}$/, 'must be host:port');

/**
 * The variables of the stack. All others are passed on to the stack's processes, which validate them
 * (environments.ts).
 */
const variables = z.object({
  PORT: port.default(8080),
  METRICS_PORT: port.optional(),
  WORKER_METRICS_PORT: port.optional(),
  LIVE_PORT: port.default(8082),
  LIVE_METRICS_PORT: port.optional(),
  FAKES_PORT: port.default(8081),
  POSTGRES_PORT: port.default(5433),
  DATABASE_URL: postgresUrl.optional(),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  ...temporalTlsVariables,
  LOCAL_DIR: z.string().default('.local'),
  DEMO_HISTORY: z.enum(['on', 'off'], 'must be on or off').default('on'),
  OBJECT_STORE: objectStore.optional(),
});

export type Settings = Omit<
  z.infer<typeof variables>,
  'METRICS_PORT' | 'WORKER_METRICS_PORT' | 'LIVE_METRICS_PORT'
> & {
  METRICS_PORT: number;
  WORKER_METRICS_PORT: number;
  LIVE_METRICS_PORT: number;
  /** All variables that the user has set, with their original values. */
  given: Partial<Record<string, string>>;
  /** True if `--fresh` was given: the stack starts with empty data. */
  fresh: boolean;
};

/**
 * Reads the stack's settings from the environment and from the arguments after `npm start --`. An empty variable counts
 * as not set. Throws a StartError that names the first invalid variable.
 */
export function readSettings(environment: NodeJS.ProcessEnv, args: string[]): Settings {
  const unknown = args.find((argument) => argument !== '--fresh');
  if (unknown !== undefined)
    throw new StartError(
      `"${unknown}" is not an argument of npm start: there is only --fresh, after two dashes.`,
    );
  const set = Object.entries(environment).filter(([, value]) => value?.trim());
  // The Temporal server that the stack starts has no TLS. The variables may be set for another program, `temporal`.
  const startsTemporal = !environment['TEMPORAL_ADDRESS']?.trim();
  const given = Object.fromEntries(set.filter(([name]) => !(startsTemporal && isTlsVariable(name))));
  const parsed = variables.superRefine(checkTemporal).safeParse(given);
  if (!parsed.success) throw new StartError(sentenceFor(parsed.error, given));
  const { PORT, METRICS_PORT, WORKER_METRICS_PORT, LIVE_METRICS_PORT, LOCAL_DIR, ...others } = parsed.data;
  // The metrics port depends on PORT, so that a second stack with another PORT does not conflict with the first.
  const metrics = PORT + (PORT > 64_000 ? -1_000 : 1_000);
  return {
    ...others,
    PORT,
    METRICS_PORT: METRICS_PORT ?? metrics,
    WORKER_METRICS_PORT: WORKER_METRICS_PORT ?? metrics + 1,
    LIVE_METRICS_PORT: LIVE_METRICS_PORT ?? metrics + 2,
    LOCAL_DIR: path.resolve(LOCAL_DIR),
    given,
    fresh: args.includes('--fresh'),
  };
}

/** Returns the ports on which this stack will listen. A database or Temporal that runs elsewhere needs no port here. */
export function portsOf(settings: Settings): NamedPort[] {
  const named = [
    'PORT',
    'METRICS_PORT',
    'WORKER_METRICS_PORT',
    'LIVE_PORT',
    'LIVE_METRICS_PORT',
    'FAKES_PORT',
  ] as const;
  const postgres = settings.DATABASE_URL === undefined ? (['POSTGRES_PORT'] as const) : [];
  const temporal =
    settings.TEMPORAL_ADDRESS === undefined ? (['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const) : [];
  return [...named, ...postgres, ...temporal].map((variable) => ({ variable, port: settings[variable] }));
}

function sentenceFor(error: z.ZodError, given: Partial<Record<string, string>>): string {
  const [issue] = error.issues;
  const variable = String(issue?.path[0]);
  // The values of these variables can contain a password or a key, so the message does not repeat them.
  const isSecret = variable === 'DATABASE_URL' || variable === 'OBJECT_STORE' || isTlsVariable(variable);
  return `${variable} ${issue?.message}${isSecret ? '' : `, not "${given[variable]}"`}.`;
}
