import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, constants, createSecureServer } from 'node:http2';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, SecureServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { readWorkerConfig } from '../../../activities/config';
import { connectTemporal } from '../../../activities/platform/connect-temporal';
import { createWorkers } from '../../../activities/platform/create-workers';
import { temporalOptions } from '../../../api/platform/text/temporal-variables';
import { openTemporalConnection, reportUnreachable } from '../../../api/temporal-connection';
import { registerSearchAttributes } from '../../../local/temporal-server';
import { infrastructure } from '../../harness/platform/infrastructure';
import { bundlePath, quietRuntime, whileBeating } from '../../harness/platform/test-worker';
import { leastWorkerVariables } from '../../harness/platform/worker-variables';
import { waitFor } from '../../harness/wait-for';
import { createAuthority } from '../../harness/webhooks/certificates';

const permissionDenied = '7';
const unauthenticated = '16';

/**
 * Starts a proxy of Temporal that speaks TLS, as Temporal Cloud does. With an `apiKey`, it rejects calls that do not
 * bring it. It also rejects all calls whose path contains `refuses`.
 */
async function startTlsProxy(
  temporalAddress: string,
  { apiKey, refuses, ...options }: SecureServerOptions & { apiKey?: string; refuses?: string },
) {
  const temporal = connect(`http://${temporalAddress}`);
  const sessions = new Set<{ destroy: () => void }>([temporal]);
  const server = createSecureServer(options);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (call, headers: IncomingHttpHeaders) => {
    call.on('error', () => undefined);
    const isKnown = apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
    if (!isKnown || (refuses !== undefined && headers[':path']?.includes(refuses))) {
      const status = {
        'grpc-status': isKnown ? permissionDenied : unauthenticated,
        'grpc-message': 'Request unauthorized.',
      };
      call.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
      return;
    }
    const forwarded = temporal.request({ ...headers, ':scheme': 'http' });
    forwarded.on('error', () => call.close(constants.NGHTTP2_CANCEL));
    call.on('close', () => forwarded.close(constants.NGHTTP2_CANCEL));
    let trailers: OutgoingHttpHeaders = {};
    forwarded.on('trailers', (sent: OutgoingHttpHeaders) => {
      trailers = sent;
    });
    forwarded.on('response', (reply: OutgoingHttpHeaders, flags: number) => {
      if (call.destroyed) return;
      // An error of gRPC has its status in the headers, and nothing follows them.
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) {
        call.respond(reply, { endStream: true });
        return;
      }
      call.respond(reply, { waitForTrailers: true });
      call.on('wantTrailers', () => call.sendTrailers(trailers));
      forwarded.pipe(call);
    });
    call.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}

describe('temporal tls', () => {
  type Proxy = Awaited<ReturnType<typeof startTlsProxy>>;
  const authority = createAuthority();
  const stranger = createAuthority();
  const own = authority.issue('client.test', 2);
  const apiKey = 'an-api-key';
  /** Requires client certificates. `keyed` requires the API key instead, and `cloud` also has no operator service. */
  let mutual: Proxy;
  let keyed: Proxy;
  let cloud: Proxy;
  beforeAll(async () => {
    quietRuntime();
    const { temporalAddress } = infrastructure();
    const server = authority.issue('temporal.test', 2);
    mutual = await startTlsProxy(temporalAddress, { ...server, ca: authority.pem, requestCert: true });
    keyed = await startTlsProxy(temporalAddress, { ...server, apiKey });
    cloud = await startTlsProxy(temporalAddress, { ...server, apiKey, refuses: '.OperatorService/' });
  });
  afterAll(() => {
    for (const proxy of [mutual, keyed, cloud]) proxy.close();
    for (const { close } of [authority, stranger]) close();
  });

  const configFor = (proxy: Proxy, more: NodeJS.ProcessEnv) =>
    readWorkerConfig({
      ...leastWorkerVariables,
      TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}`,
      TEMPORAL_TLS_CA: authority.pem,
      TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
      ...more,
    });
  const ownPair = { TEMPORAL_TLS_CERT: own.cert, TEMPORAL_TLS_KEY: own.key };

  /** Returns what the API and the worker log when they cannot connect. */
  async function complaints(proxy: Proxy, more: NodeJS.ProcessEnv) {
    const options = temporalOptions(configFor(proxy, more));
    const stop = new AbortController();
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const connection = openTemporalConnection(options);
    await reportUnreachable(connection, options, log);
    await connection.close();
    const connecting = connectTemporal(options, stop.signal, log);
    await waitFor('the worker to complain', async () => lines.length > 1);
    stop.abort();
    await connecting;
    for (const secret of [own.key, apiKey]) expect(lines.join()).not.toContain(secret);
    return lines.slice(0, 2).map((line) => (JSON.parse(line) as { reason: string }).reason);
  }

  describe('Temporal behind TLS', () => {
    it.each([
      ['client certificates', () => configFor(mutual, ownPair)],
      [
        'client certificates in files',
        () => {
          const file = (name: string, text: string) => {
            const at = path.join(infrastructure().folder, `${name}-${randomUUID()}.pem`);
            writeFileSync(at, text, { mode: 0o600 });
            return at;
          };
          return configFor(mutual, {
            TEMPORAL_TLS_CA: file('ca', authority.pem),
            TEMPORAL_TLS_CERT: file('cert', own.cert),
            TEMPORAL_TLS_KEY: file('key', own.key),
          });
        },
      ],
      ['an API key', () => configFor(keyed, { TEMPORAL_API_KEY: apiKey })],
    ])("runs a workflow that the API's client starts, with %s", async (_how, makeConfig) => {
      const config = makeConfig();
      const options = temporalOptions(config);
      const log = pino({ level: 'silent' });
      const connection = await connectTemporal(options, new AbortController().signal, log);
      if (!connection) throw new Error('there is no connection');
      const taskQueue = `tls-${randomUUID()}`;
      const sent: unknown[] = [];
      const activities = { sendSignInMail: async (mail: unknown) => void sent.push(mail) };
      const [worker] = await createWorkers([{ taskQueue, workflowBundle: { codePath: bundlePath } }], {
        connection,
        activities,
        config,
        log,
      });
      const api = openTemporalConnection(options);
      const sign_in_id = randomUUID();
      await worker?.runUntil(
        new Client({ connection: api }).workflow.execute('signInMail', {
          workflowId: sign_in_id,
          taskQueue,
          args: [{ sign_in_id }],
        }),
      );
      expect(sent).toEqual([{ sign_in_id }]);
      await api.close();
      await connection.close();
    });

    it.concurrent.each([
      ['no client certificate', {}, 'requires a client certificate: set TEMPORAL_TLS_CERT'],
      [
        'a client certificate of an unknown authority',
        () => {
          const { cert, key } = stranger.issue('client.test', 2);
          return { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key };
        },
        'closed the connection: does it trust the certificate in TEMPORAL_TLS_CERT?',
      ],
      [
        'another authority',
        { ...ownPair, TEMPORAL_TLS_CA: stranger.pem },
        'set TEMPORAL_TLS_CA to its authority',
      ],
      [
        'no server name',
        { ...ownPair, TEMPORAL_TLS_SERVER_NAME: undefined },
        'is for another name: set TEMPORAL_TLS_SERVER_NAME to that name',
      ],
      [
        'no TLS',
        { TEMPORAL_TLS_CA: undefined, TEMPORAL_TLS_SERVER_NAME: undefined },
        'closed the connection: does it expect TLS (TEMPORAL_TLS)?',
      ],
    ])('says in the log of API and worker what is missing, with %s', async (_what, more, sentence) => {
      const said = await complaints(mutual, typeof more === 'function' ? more() : more);
      expect(said).toEqual([expect.stringContaining(sentence), expect.stringContaining(sentence)]);
    });

    it('says in the log of API and worker that Temporal rejects a wrong API key', async () => {
      const rejected = expect.stringContaining('it is Temporal that rejects the call');
      expect(await complaints(keyed, { TEMPORAL_API_KEY: 'another' })).toEqual([rejected, rejected]);
    });

    it('uses search attributes that it may not register, and names those that are missing', async () => {
      const options = temporalOptions(configFor(cloud, { TEMPORAL_API_KEY: apiKey }));
      const register = (name: string) => registerSearchAttributes(options, 'default', { [name]: 'Keyword' });
      await register('MerchantId');
      await expect(register('NoSuchAttribute')).rejects.toThrow(
        /^The namespace default lacks the search attributes NoSuchAttribute, .*docs\/operations\.md#temporal-cloud/,
      );
    });
  });

  describe('the variables of TLS', () => {
    const refusal = (more: NodeJS.ProcessEnv): string => {
      try {
        configFor(mutual, more);
        return 'accepted';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };

    it.each([
      [{ TEMPORAL_TLS_CERT: own.cert }, 'TEMPORAL_TLS_KEY: is required with TEMPORAL_TLS_CERT'],
      [{ TEMPORAL_TLS_KEY: own.key }, 'TEMPORAL_TLS_CERT: is required with TEMPORAL_TLS_KEY'],
      [
        { TEMPORAL_TLS_CERT: own.cert, TEMPORAL_TLS_KEY: stranger.issue('client.test', 2).key },
        'TEMPORAL_TLS_KEY: is not the key of TEMPORAL_TLS_CERT',
      ],
      [
        { TEMPORAL_TLS: 'false', TEMPORAL_TLS_SERVER_NAME: undefined },
        'TEMPORAL_TLS_CA: needs TLS: unset it, or set TEMPORAL_TLS to true',
      ],
      [
        { TEMPORAL_TLS_CERT: own.key, TEMPORAL_TLS_KEY: own.cert },
        'TEMPORAL_TLS_CERT: must be a certificate in PEM, or the path of a file with one\n' +
          'TEMPORAL_TLS_KEY: must be an unencrypted private key in PEM, or the path of a file with one',
      ],
    ])('contradict each other (%#)', (more, message) => expect(refusal(more)).toBe(message));
  });
});

describe('builds', () => {
  const versionedBundle = path.resolve(__dirname, '../../../dist/workflows/versioned-bundle.js');
  const namespace = 'default';
  const taskQueue = `builds-${randomUUID()}`;
  const deploymentName = `deployment-${randomUUID()}`;

  let native: NativeConnection;
  let connection: Connection;
  let client: Client;
  beforeAll(async () => {
    quietRuntime();
    const address = infrastructure().temporalAddress;
    native = await NativeConnection.connect({ address });
    connection = await Connection.connect({ address });
    client = new Client({ connection });
  });
  afterAll(async () => {
    await connection.close();
    await native.close();
  });

  /** Starts a worker of this build. */
  async function startBuild(buildId: string, activities: object) {
    const config = readWorkerConfig({
      ...leastWorkerVariables,
      TEMPORAL_DEPLOYMENT_NAME: deploymentName,
      BUILD_ID: buildId,
    });
    const queue = { taskQueue, workflowBundle: { codePath: versionedBundle } };
    const log = pino({ level: 'silent' });
    const workers = await createWorkers([queue], { connection: native, activities, config, log });
    const running = workers.map((worker) => worker.run());
    return async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    };
  }

  /** Makes this build the current one, as `temporal worker deployment set-current-version` does. */
  const setCurrent = (buildId: string) =>
    waitFor(`build ${buildId} to become the current one`, () =>
      client.workflowService
        .setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity: 'test' })
        .then(
          () => true,
          // Temporal does not know a build before its worker has polled.
          () => undefined,
        ),
    );

  /** Returns the builds of the workers that took the tasks of a workflow, in order and without repetitions. */
  const buildsOf = async (handle: WorkflowHandle): Promise<string[]> => {
    const { events } = await handle.fetchHistory();
    const builds = (events ?? []).flatMap(
      ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId ?? [],
    );
    return [...new Set(builds)];
  };

  describe('two builds of the worker', () => {
    it('end pinned workflows where they began, move the others, and lose none', async () => {
      let isAccepted = false;
      let letGo = () => {};
      const isReleased = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const sent: string[] = [];
      const activities = {
        sendSignInMail: async ({ sign_in_id }: { sign_in_id: string }) => {
          if (sign_in_id === 'held') await whileBeating(() => isReleased);
          sent.push(sign_in_id);
        },
        sendIssueReport: async () =>
          isAccepted ? { reference: '#1' } : { reference: null, failure: '503', retry_after_ms: 0 },
      };
      const startMail = (sign_in_id: string) =>
        client.workflow.start('signInMail', {
          workflowId: `${taskQueue}/${sign_in_id}`,
          taskQueue,
          args: [{ sign_in_id }],
        });
      const stopOld = await startBuild('old', activities);
      await setCurrent('old');
      const pinned = await startMail('held');
      const upgrading = await client.workflow.start('issueReport', {
        workflowId: `${taskQueue}/issue`,
        taskQueue,
        args: [{ report_id: randomUUID(), first_pause_ms: 100, longest_pause_ms: 100 }],
      });
      for (const handle of [pinned, upgrading])
        await waitFor('the old build to begin', async () => (await buildsOf(handle)).length > 0);

      const stopNew = await startBuild('new', activities);
      await setCurrent('new');
      const begun: string[] = [];
      await waitFor('workflows to begin on the new build', async () => {
        const name = `mail ${begun.push('')}`;
        const handle = await startMail(name);
        await handle.result();
        begun[begun.length - 1] = name;
        return (await buildsOf(handle)).includes('new');
      });
      await waitFor('the workflow to move', async () => (await buildsOf(upgrading)).includes('new'));
      letGo();
      await pinned.result();
      await stopOld();
      isAccepted = true;
      await upgrading.result();
      await stopNew();

      expect(await buildsOf(pinned)).toEqual(['old']);
      expect(await buildsOf(upgrading)).toEqual(['old', 'new']);
      expect(sent.toSorted()).toEqual([...begun, 'held'].toSorted());
    });
  });
});
