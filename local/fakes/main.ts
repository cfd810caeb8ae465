import type { VideoHook } from './heygen';
import { readSigningKey, type EventTarget } from './sendgrid-events';
import { startFakes, type Fakes } from './server';
import type { MessageHook } from './twilio';

const port = Number(process.env['FAKES_PORT'] ?? '8081');
/** In a container, FAKES_HOST is an address that other containers can reach. */
const host = process.env['FAKES_HOST'] ?? '127.0.0.1';

void run();

async function run(): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return fail('FAKES_PORT must be a port number from 0 to 65535.');
  }
  let mailEvents: EventTarget | undefined;
  try {
    mailEvents = readEventTarget();
  } catch {
    return fail('SENDGRID_EVENT_SIGNING_KEY must be a P-256 private key, base64 of PKCS #8 in DER.');
  }
  let fakes: Fakes;
  try {
    const hooks = { messageHook: readMessageHook(), videoHook: readVideoHook() };
    fakes = await startFakes({ port, host, mailEvents, ...hooks });
  } catch (error) {
    return fail(explain(error));
  }
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void fakes.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The channel to the parent process closes when the parent is killed, and then the fakes must end too.
  process.on('disconnect', stop);
  if (process.send) process.send('ready');
  else console.log(`Fakes: ${fakes.url}`);
}

/** Returns where the SendGrid fake sends mail events and with which key, if both variables are set. */
function readEventTarget(): EventTarget | undefined {
  const { SENDGRID_EVENTS_URL: url, SENDGRID_EVENT_SIGNING_KEY: key } = process.env;
  return url && key ? { url, signingKey: readSigningKey(key) } : undefined;
}

/** Returns the token with which the Twilio fake signs its calls of the hook, if it is set. */
function readMessageHook(): MessageHook | undefined {
  const { TWILIO_AUTH_TOKEN: authToken, TWILIO_HOOK_URL: url } = process.env;
  return authToken ? { authToken, url: url || undefined } : undefined;
}

/** Returns where the HeyGen fake reports videos, if both variables are set. */
function readVideoHook(): VideoHook | undefined {
  const { HEYGEN_WEBHOOK_SECRET: secret, HEYGEN_HOOK_URL: url } = process.env;
  return secret && url ? { secret, url } : undefined;
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set FAKES_PORT to a free one.`;
  return `The fakes cannot listen on port ${port} (${String(error)}): set FAKES_PORT to another one.`;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
