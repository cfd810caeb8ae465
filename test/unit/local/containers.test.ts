import { parse } from 'yaml';
import { z } from 'zod';
import { workerVariables } from '../../../activities/config';
import { apiVariables } from '../../../api/config';
import { liveVariables } from '../../../api/live/config';
import { migrateVariables } from '../../../db/platform/migrate-command';
import { searchAttributes, taskQueues } from '../../../workflows/ids';
import { compose, read, serviceOf, text, variablesOf } from './compose.fixture';

/** The variables to which docker-compose.yml refers, and whether they are required in .env. */
const interpolations = [...text.matchAll(/\$\{([A-Z_]+)(:\?|:-|\})/g)].map(([, name = '', kind = '']) => ({
  name,
  kind,
}));
const handedOn = Object.values(compose.services).flatMap(({ environment = {} }) =>
  Object.keys(environment).filter((name) => environment[name] === null),
);

describe('the variables of docker-compose.yml', () => {
  const schemas: [string, z.ZodObject][] = [
    ['api', apiVariables],
    ['live', liveVariables],
    ['worker', workerVariables],
    ['migrate', migrateVariables],
  ];
  const isRequired = (schema: unknown) =>
    !(schema instanceof z.ZodOptional) && !(schema instanceof z.ZodDefault);

  it.each(schemas)('include all that the process of %s reads and nothing else', (name, { shape }) => {
    expect(Object.keys(variablesOf(name)).toSorted()).toEqual(Object.keys(shape).toSorted());
  });

  it.each(schemas)('have a value or stop the start when the process of %s needs them', (name, { shape }) => {
    const required = Object.keys(shape).filter((variable) => isRequired(shape[variable]));
    const unset = required.filter((variable) => {
      const value = variablesOf(name)[variable];
      return !value || /\$\{[A-Z_]+(:-)?\}/.test(value);
    });
    expect(required.length).toBeGreaterThan(0);
    expect(unset).toEqual([]);
  });

  it.each(schemas)('are accepted by the process of %s when .env is filled in', (name, schema) => {
    const filled: Record<string, string> = {
      PUBLIC_ORIGIN: 'http://127.0.0.1:8080',
      PORTAL_ORIGIN: 'http://localhost:8080',
      MAIL_FROM: 'no-reply@example.com',
      TOKEN_SIGNING_KEYS: '{"keys": [{"kty": "EC"}]}',
      LINK_SIGNING_KEYS: '{"keys": [{"kty": "EC"}]}',
      OBJECT_STORE: 'file:///var/lib/platform/objects',
    };
    const set = Object.entries(variablesOf(name)).flatMap(([variable, value]) =>
      value === null
        ? []
        : [
            [
              variable,
              value
                .replaceAll(/\$\{([A-Z_]+):\?[^}]*\}/g, (_, each: string) => filled[each] ?? 'filled')
                .replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1'),
            ],
          ],
    );
    expect(schema.safeParse(Object.fromEntries(set)).error).toBeUndefined();
  });

  it('have no default for a secret and give it only to the services that need it', () => {
    const secrets = /PASSWORD|KEY/;
    expect(interpolations.filter(({ name, kind }) => secrets.test(name) && kind !== ':?')).toEqual([]);
    const holders = (secret: string) =>
      Object.keys(compose.services).filter((name) =>
        JSON.stringify(variablesOf(name)).includes(`\${${secret}:`),
      );
    expect(
      Object.fromEntries(
        interpolations.filter(({ name }) => secrets.test(name)).map(({ name }) => [name, holders(name)]),
      ),
    ).toEqual({
      POSTGRES_PASSWORD: ['postgres', 'migrate', 'create-admin'],
      TEMPORAL_DATABASE_PASSWORD: ['postgres', 'temporal-schema', 'temporal'],
      API_DATABASE_PASSWORD: ['migrate', 'api', 'live'],
      WORKER_DATABASE_PASSWORD: ['migrate', 'worker'],
      TOKEN_SIGNING_KEYS: ['api'],
      LINK_SIGNING_KEYS: ['api', 'live', 'worker'],
      SEALING_KEYS: ['api', 'worker'],
      OPENAI_API_KEY: ['live', 'worker'],
      SENDGRID_API_KEY: ['worker'],
    });
  });

  it('are all named and not set by .env.example', () => {
    const lines = read('.env.example')
      .split('\n')
      .filter((line) => /^#?[A-Z_]+=/.test(line));
    const named = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('=')[0]);
    const optional = lines.filter((line) => line.startsWith('#')).map((line) => line.slice(1).split('=')[0]);
    const sorted = (names: (string | undefined)[]) => [...new Set(names.map(String))].toSorted();
    expect(lines.filter((line) => !line.endsWith('='))).toEqual([]);
    expect(sorted(named)).toEqual(
      sorted(interpolations.filter(({ kind }) => kind === ':?').map(({ name }) => name)),
    );
    expect(sorted(optional)).toEqual(
      sorted([...interpolations.filter(({ kind }) => kind === ':-').map(({ name }) => name), ...handedOn]),
    );
  });
});

describe('the services of docker-compose.yml', () => {
  const healthy = { condition: 'service_healthy' };
  const completed = { condition: 'service_completed_successfully' };

  it('start after the services that they need', () => {
    const gates = Object.fromEntries(
      Object.entries(compose.services).map(([name, { depends_on }]) => [name, depends_on]),
    );
    const ready = { postgres: healthy, migrate: completed, 'temporal-namespace': completed };
    expect(gates).toEqual({
      postgres: undefined,
      'temporal-schema': { postgres: healthy },
      temporal: { 'temporal-schema': completed },
      'temporal-namespace': { temporal: healthy },
      'temporal-ui': { temporal: healthy },
      migrate: { postgres: healthy },
      'create-admin': { migrate: completed },
      api: ready,
      live: ready,
      worker: ready,
      fakes: undefined,
    });
  });

  it('have a health check where another service waits for their health', () => {
    for (const { depends_on = {} } of Object.values(compose.services))
      for (const [name, { condition }] of Object.entries(depends_on))
        if (condition === 'service_healthy') expect(serviceOf(name).healthcheck?.test[0]).toBe('CMD');
    // In YAML, a command with a colon is no string unless it is quoted.
    for (const { healthcheck } of Object.values(compose.services))
      for (const part of healthcheck?.test ?? []) expect(typeof part).toBe('string');
  });

  it('pin every foreign image to a release and its content', () => {
    const foreign = Object.values(compose.services).filter(({ build }) => build === undefined);
    expect(foreign.map(({ image }) => image).toSorted()).toEqual([
      expect.stringMatching(/^postgres:18\.\d+@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^temporalio\/admin-tools:1\.\d+\.\d+@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^temporalio\/admin-tools:1\.\d+\.\d+@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^temporalio\/server:1\.\d+\.\d+@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^temporalio\/ui:2\.\d+\.\d+@sha256:[0-9a-f]{64}$/),
    ]);
    const tagOf = (name: string) => serviceOf(name).image.split(/[:@]/)[1];
    expect([tagOf('temporal-schema'), tagOf('temporal-namespace')]).toEqual([
      tagOf('temporal'),
      tagOf('temporal'),
    ]);
  });

  it.each([
    ['api', 65],
    ['worker', 65],
    // Its pages connect to the other one.
    ['live', 5],
  ])('run two containers of %s, with more grace than the %i s that work may take', (name, seconds) => {
    const { deploy, stop_grace_period } = serviceOf(name);
    expect(deploy).toEqual({ replicas: 2 });
    expect(stop_grace_period).toMatch(/^\d+s$/);
    expect(parseInt(stop_grace_period ?? '', 10)).toBeGreaterThan(seconds);
  });

  it('give the worker a shorter grace period than its container', () => {
    const grace = Number(variablesOf('worker')['SHUTDOWN_GRACE_SECONDS']);
    expect(grace).toBeLessThan(parseInt(serviceOf('worker').stop_grace_period ?? '', 10));
  });

  it('publish ports on this machine only, one for each API and live process', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(serviceOf('api').ports).toEqual(['127.0.0.1:8080-8081:8080']);
    expect(serviceOf('live').ports).toEqual(['127.0.0.1:8082-8083:8082']);
    expect(serviceOf('live').healthcheck?.test.at(-1)).toContain('127.0.0.1:8082/healthz');
  });

  it('run Temporal with 512 shards, databases of its own and a settings file that exists', () => {
    expect(variablesOf('temporal')).toMatchObject({
      NUM_HISTORY_SHARDS: '512',
      DBNAME: 'temporal',
      VISIBILITY_DBNAME: 'temporal_visibility',
      POSTGRES_USER: 'temporal',
    });
    const { reports, reportMails, scoring } = taskQueues('');
    const inTurns = (value: unknown) =>
      [reports, reportMails, scoring].map((taskQueueName) => ({ value, constraints: { taskQueueName } }));
    const [settings] = serviceOf('temporal').configs ?? [];
    expect(settings?.target).toBe(variablesOf('temporal')['DYNAMIC_CONFIG_FILE_PATH']);
    expect(parse(compose.configs[settings?.source ?? '']?.content ?? '')).toEqual({
      'limit.maxIDLength': [{ value: 255 }],
      'system.enableActivityEagerExecution': [{ value: true }],
      'matching.enableFairness': inTurns(true),
      'matching.numTaskqueueReadPartitions': inTurns(1),
      'matching.numTaskqueueWritePartitions': inTurns(1),
    });
    expect(text).not.toContain('auto-setup');
  });

  it('register the search attributes of workflows/ids.ts, all as keywords', () => {
    expect(variablesOf('temporal-namespace')['SEARCH_ATTRIBUTES']?.split(' ')).toEqual(
      Object.keys(searchAttributes),
    );
    expect([...new Set(Object.values(searchAttributes))]).toEqual(['Keyword']);
    expect(serviceOf('temporal-namespace').command?.[0]).toContain('--name "$$name" --type Keyword');
  });

  it('use one Temporal namespace', () => {
    const names = ['api', 'worker'].map((name) => variablesOf(name)['TEMPORAL_NAMESPACE']);
    expect([...names, variablesOf('temporal-namespace')['NAMESPACE']]).toEqual(
      Array(3).fill('${TEMPORAL_NAMESPACE:-default}'),
    );
  });

  it('share one volume of recordings, at the folder that .env.example names and the user of the image owns', () => {
    const folder = /^# Where recordings lie: file:\/\/(\S+)/m.exec(read('.env.example'))?.[1];
    expect(folder).toBe('/var/lib/platform/objects');
    expect(serviceOf('api').volumes).toEqual([`objects:${folder}`]);
    expect(Object.keys(compose.volumes)).toContain('objects');
    expect(read('Dockerfile')).toMatch(new RegExp(`^RUN install -d -o node -g node -m 700 ${folder}$`, 'm'));
  });

  it('start the fakes only on demand, where the other services reach them', () => {
    expect(serviceOf('fakes')).toMatchObject({
      profiles: ['fakes'],
      environment: { FAKES_HOST: '0.0.0.0', FAKES_PORT: '8081' },
    });
    expect(read('local/fakes/main.ts')).toContain("process.env['FAKES_HOST']");
  });
});
