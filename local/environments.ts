import { workerVariables } from '../activities/config';
import { apiVariables } from '../api/config';
import { liveVariables } from '../api/live/config';
import type { EventKeys, Secrets } from './secrets';
import { merchants } from './seed/accounts';
import type { Settings } from './settings';

/** The addresses of the parts of a running stack. */
export interface StackAddresses {
  origin: string;
  /** The origin of candidates' pages. The same process serves them under another host name. */
  portalOrigin: string;
  /** The database's address with the administrator's login. Processes get only its host, port and database name. */
  adminUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
  fakesUrl: string;
  signingKeysFile: string;
  linkKeysFile: string;
  /** The location of the object store, in the form of the variable OBJECT_STORE. */
  objectStore: string;
}

/*
 * A process gets its variables from four sources, each of which overrides the ones before: the machine, the defaults
 * in this file, the variables of this process that the user has set, and the stack. A process gets no secrets of
 * other processes.
 */
const machineVariables =
  'PATH HOME USER LANG LC_ALL TZ TMPDIR NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS'.split(' ');

/** Webhook receivers on this machine must be allowed, so the usual restrictions are lifted. */
const webhookTargets = {
  WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1/128',
  WEBHOOK_ALLOWED_PORTS: '*',
  WEBHOOK_ALLOW_HTTP: 'true',
};

/** Returns the API's environment. It contains no keys of providers. */
export function apiEnvironment(
  settings: Settings,
  secrets: Secrets & EventKeys,
  stack: StackAddresses,
): NodeJS.ProcessEnv {
  return withoutUnset({
    ...pick(settings, machineVariables),
    ...providerAddresses(settings, stack),
    ...webhookTargets,
    // Only the SendGrid fake signs its events with `event_key`; the real provider uses another key.
    SENDGRID_EVENT_KEY: sendsForReal(settings) ? undefined : secrets.event_key,
    TWILIO_AUTH_TOKEN: secrets.message_token,
    HEYGEN_WEBHOOK_SECRET: secrets.video_secret,
    DNS_SERVERS: `127.0.0.1:${settings.FAKES_PORT}`,
    // All local requests come from one address, so the limit per address is high.
    ADDRESS_LIMIT_PER_MINUTE: '6000',
    PORTAL_MERCHANT_ID: merchants.main.id,
    LIVE_ORIGIN: `ws://127.0.0.1:${settings.LIVE_PORT}`,
    ...pick(settings, Object.keys(apiVariables.shape)),
    ...sharedEnvironment(settings, secrets, stack),
    HOST: '127.0.0.1',
    PORT: String(settings.PORT),
    METRICS_PORT: String(settings.METRICS_PORT),
    DATABASE_URL: databaseUrlFor(stack.adminUrl, 'app_api_login', secrets.api_password),
    TEMPORAL_UI_URL: stack.temporalUiUrl,
    TOKEN_SIGNING_KEYS: stack.signingKeysFile,
  });
}

/** Returns the worker's environment. It contains no token keys. */
export function workerEnvironment(
  settings: Settings,
  secrets: Secrets & EventKeys,
  stack: StackAddresses,
): NodeJS.ProcessEnv {
  return withoutUnset({
    ...pick(settings, machineVariables),
    ...providerAddresses(settings, stack),
    ...webhookTargets,
    ...modelProvider(settings, stack),
    SENDGRID_BASE_URL: sendsForReal(settings) ? undefined : `${stack.fakesUrl}/sendgrid`,
    SENDGRID_API_KEY: 'local',
    MAIL_FROM: 'no-reply@interview-platform.example',
    TWILIO_URL: settings.given['TWILIO_AUTH_TOKEN'] ? undefined : `${stack.fakesUrl}/twilio`,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: secrets.message_token,
    TWILIO_FROM: '+15005550006',
    HEYGEN_URL: settings.given['HEYGEN_API_KEY'] ? undefined : `${stack.fakesUrl}/heygen`,
    HEYGEN_API_KEY: 'local',
    HEYGEN_AVATAR_ID: 'local',
    HEYGEN_VOICE_ID: 'local',
    SUPPORT_DESK_USER: 'agent@interview-platform.example',
    SUPPORT_DESK_TOKEN: 'local',
    FEATURE_BOARD_KEY: 'local',
    FEATURE_BOARD_ID: 'local',
    // After Ctrl-C, the whole stack must end within ten seconds.
    SHUTDOWN_GRACE_SECONDS: '5',
    ...pick(settings, Object.keys(workerVariables.shape)),
    ...sharedEnvironment(settings, secrets, stack),
    METRICS_PORT: String(settings.WORKER_METRICS_PORT),
    DATABASE_URL: databaseUrlFor(stack.adminUrl, 'app_worker_login', secrets.worker_password),
    DATABASE_DIRECT_URL: databaseUrlFor(stack.adminUrl, 'app_worker_login', secrets.worker_password),
  });
}

/** Returns the live process's environment. */
export function liveEnvironment(
  settings: Settings,
  secrets: Secrets,
  stack: StackAddresses,
): NodeJS.ProcessEnv {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PORTAL_ORIGIN, LINK_SIGNING_KEYS } = sharedEnvironment(
    settings,
    secrets,
    stack,
  );
  return withoutUnset({
    ...pick(settings, machineVariables),
    ...modelProvider(settings, stack),
    ...pick(settings, Object.keys(liveVariables.shape)),
    TEMPORAL_ADDRESS,
    TEMPORAL_NAMESPACE,
    PORTAL_ORIGIN,
    LINK_SIGNING_KEYS,
    HOST: '127.0.0.1',
    PORT: String(settings.LIVE_PORT),
    METRICS_PORT: String(settings.LIVE_METRICS_PORT),
    DATABASE_URL: databaseUrlFor(stack.adminUrl, 'app_api_login', secrets.api_password),
    DATABASE_DIRECT_URL: databaseUrlFor(stack.adminUrl, 'app_api_login', secrets.api_password),
  });
}

/** Returns the environment of the fakes. The only secrets in it are those with which they sign what they report. */
export const fakesEnvironment = (
  settings: Settings,
  { event_signing_key, message_token, video_secret }: EventKeys,
): NodeJS.ProcessEnv => ({
  ...pick(settings, machineVariables),
  FAKES_PORT: String(settings.FAKES_PORT),
  SENDGRID_EVENTS_URL: `http://127.0.0.1:${settings.PORT}/hooks/sendgrid`,
  SENDGRID_EVENT_SIGNING_KEY: event_signing_key,
  TWILIO_AUTH_TOKEN: message_token,
  HEYGEN_HOOK_URL: `http://127.0.0.1:${settings.PORT}/hooks/heygen`,
  HEYGEN_WEBHOOK_SECRET: video_secret,
});

const sharedEnvironment = (settings: Settings, secrets: Secrets, stack: StackAddresses) => ({
  PUBLIC_ORIGIN: stack.origin,
  PORTAL_ORIGIN: stack.portalOrigin,
  TEMPORAL_ADDRESS: stack.temporalAddress,
  TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
  SEALING_KEYS: secrets.sealing_keys,
  LINK_SIGNING_KEYS: stack.linkKeysFile,
  OBJECT_STORE: stack.objectStore,
  // The AWS SDK reads its credentials from these variables.
  ...(stack.objectStore.startsWith('s3:')
    ? pick(
        settings,
        Object.keys(settings.given).filter((name) => name.startsWith('AWS_')),
      )
    : {}),
});

/** If the user has set a key but no base address, the default applies, which is the real provider. */
const modelProvider = ({ given }: Settings, { fakesUrl }: StackAddresses) => ({
  OPENAI_BASE_URL: given['OPENAI_API_KEY'] ? undefined : `${fakesUrl}/openai/v1`,
  OPENAI_API_KEY: 'local',
});

/**
 * Both the API and the worker must know whether a support desk and a feature board exist. If the user has set a key
 * of the board, the real Canny is used.
 */
const providerAddresses = ({ given }: Settings, { fakesUrl }: StackAddresses) => ({
  SUPPORT_DESK_BASE_URL: `${fakesUrl}/support`,
  FEATURE_BOARD_BASE_URL: given['FEATURE_BOARD_KEY'] ? 'https://canny.io' : `${fakesUrl}/board`,
});

/** True when mails go to a provider other than the fake. */
const sendsForReal = ({ given }: Settings): boolean =>
  Boolean(given['SENDGRID_API_KEY'] ?? given['SENDGRID_BASE_URL']);

const pick = ({ given }: Settings, names: string[]): NodeJS.ProcessEnv =>
  withoutUnset(Object.fromEntries(names.map((name) => [name, given[name]])));

const withoutUnset = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));

/** Returns the address of the same database for another login. */
export function databaseUrlFor(databaseUrl: string, login: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = password;
  return url.href;
}
