import type { EventKeys, Secrets } from './secrets';
import { merchants } from './seed/accounts';
import type { Settings } from './settings';

/** The addresses of the parts of a running stack. */
export interface StackAddresses {
  origin: string;
  /** The origin of candidates' pages: the same process under another host name. */
  portalOrigin: string;
  /** The administrator's address. Only its host, port and database are passed on. */
  adminUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
  fakesUrl: string;
  signingKeysFile: string;
  linkKeysFile: string;
  /** In the form of the API's OBJECT_STORE. */
  objectStore: string;
}

/* Each process gets only the variables that it needs, so a leak in one does not expose the other's secrets. */
const everybodys = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
];

/** Webhook receivers for local use listen on this machine. */
const webhookTargets = {
  WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1/128',
  WEBHOOK_ALLOWED_PORTS: '*',
  WEBHOOK_ALLOW_HTTP: 'true',
};

/** Returns the API's environment. It contains no provider. */
export function apiEnvironment(
  settings: Settings,
  secrets: Secrets & EventKeys,
  stack: StackAddresses,
): NodeJS.ProcessEnv {
  const { RATE_LIMIT_PER_MINUTE, LOG_LEVEL, TRUSTED_PROXIES, DATABASE_POOL_SIZE } = settings;
  return withoutUnset({
    ...machineEnvironment(),
    PUBLIC_ORIGIN: stack.origin,
    PORTAL_ORIGIN: stack.portalOrigin,
    PORTAL_MERCHANT_ID: merchants.main.id,
    HOST: '127.0.0.1',
    PORT: String(settings.PORT),
    METRICS_PORT: String(settings.METRICS_PORT),
    DATABASE_URL: withLogin(stack.adminUrl, 'app_api_login', secrets.api_password),
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    TEMPORAL_UI_URL: stack.temporalUiUrl,
    TOKEN_SIGNING_KEYS: stack.signingKeysFile,
    LINK_SIGNING_KEYS: stack.linkKeysFile,
    SEALING_KEYS: secrets.sealing_keys,
    OBJECT_STORE: stack.objectStore,
    ...(stack.objectStore.startsWith('s3:') ? amazonEnvironment() : {}),
    // The real provider signs with its own key.
    SENDGRID_EVENT_KEY:
      settings.SENDGRID_EVENT_KEY ?? (sendsForReal(settings) ? undefined : secrets.event_key),
    SUPPORT_DESK_BASE_URL: settings.SUPPORT_DESK_BASE_URL ?? `${stack.fakesUrl}/support`,
    FEATURE_BOARD_BASE_URL: featureBoardUrl(settings, stack),
    ...webhookTargets,
    DNS_SERVERS: settings.DNS_SERVERS ?? `127.0.0.1:${settings.FAKES_PORT}`,
    RATE_LIMIT_PER_MINUTE,
    // All local requests come from one address.
    ADDRESS_LIMIT_PER_MINUTE: settings.ADDRESS_LIMIT_PER_MINUTE ?? '6000',
    LOG_LEVEL,
    TRUSTED_PROXIES,
    DATABASE_POOL_SIZE,
  });
}

/** Returns the worker's environment. It contains no token keys. */
export function workerEnvironment(
  settings: Settings,
  secrets: Secrets,
  stack: StackAddresses,
): NodeJS.ProcessEnv {
  return withoutUnset({
    ...machineEnvironment(),
    METRICS_PORT: String(settings.WORKER_METRICS_PORT),
    DATABASE_URL: withLogin(stack.adminUrl, 'app_worker_login', secrets.worker_password),
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    SEALING_KEYS: secrets.sealing_keys,
    PUBLIC_ORIGIN: stack.origin,
    PORTAL_ORIGIN: stack.portalOrigin,
    LINK_SIGNING_KEYS: stack.linkKeysFile,
    // A user's own key without a base address selects the real provider, which is the SDK's default.
    OPENAI_BASE_URL:
      settings.OPENAI_BASE_URL ?? (settings.OPENAI_API_KEY ? undefined : `${stack.fakesUrl}/openai/v1`),
    OPENAI_API_KEY: settings.OPENAI_API_KEY ?? 'local',
    OPENAI_MODEL: settings.OPENAI_MODEL,
    SENDGRID_BASE_URL:
      settings.SENDGRID_BASE_URL ?? (sendsForReal(settings) ? undefined : `${stack.fakesUrl}/sendgrid`),
    SENDGRID_API_KEY: settings.SENDGRID_API_KEY ?? 'local',
    MAIL_FROM: settings.MAIL_FROM ?? 'no-reply@interview-platform.example',
    MAILS_PER_SECOND: settings.MAILS_PER_SECOND,
    SUPPORT_DESK_BASE_URL: settings.SUPPORT_DESK_BASE_URL ?? `${stack.fakesUrl}/support`,
    SUPPORT_DESK_USER: settings.SUPPORT_DESK_USER ?? 'agent@interview-platform.example',
    SUPPORT_DESK_TOKEN: settings.SUPPORT_DESK_TOKEN ?? 'local',
    FEATURE_BOARD_BASE_URL: featureBoardUrl(settings, stack),
    FEATURE_BOARD_KEY: settings.FEATURE_BOARD_KEY ?? 'local',
    FEATURE_BOARD_ID: settings.FEATURE_BOARD_ID ?? 'local',
    // Receivers run on this machine, for example the fakes' sink.
    ...webhookTargets,
    // After Ctrl-C there are ten seconds for everything.
    SHUTDOWN_GRACE_SECONDS: '5',
  });
}

/** Returns the fakes' environment. Its only secret is the key that signs mail events. */
export function fakesEnvironment(settings: Settings, { event_signing_key }: EventKeys): NodeJS.ProcessEnv {
  return {
    ...machineEnvironment(),
    FAKES_PORT: String(settings.FAKES_PORT),
    SENDGRID_EVENTS_URL: `http://127.0.0.1:${settings.PORT}/hooks/sendgrid`,
    SENDGRID_EVENT_SIGNING_KEY: event_signing_key,
  };
}

/** True when mails go to a provider other than the fake. */
function sendsForReal({ SENDGRID_API_KEY, SENDGRID_BASE_URL }: Settings): boolean {
  return SENDGRID_API_KEY !== undefined || SENDGRID_BASE_URL !== undefined;
}

/** A key without a URL selects Canny itself. */
const featureBoardUrl = (settings: Settings, { fakesUrl }: StackAddresses): string =>
  settings.FEATURE_BOARD_BASE_URL ??
  (settings.FEATURE_BOARD_KEY === undefined ? `${fakesUrl}/board` : 'https://canny.io');

function machineEnvironment(): NodeJS.ProcessEnv {
  return withoutUnset(Object.fromEntries(everybodys.map((name) => [name, process.env[name]])));
}

/** The variables from which the AWS SDK reads its credentials. */
function amazonEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')));
}

function withoutUnset(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}

function withLogin(databaseUrl: string, login: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = password;
  return url.href;
}
