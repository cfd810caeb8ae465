import { apiEnvironment, standInsEnvironment, workerEnvironment } from '../../local/child-environments';
import { readyBlock } from '../../local/ready-block';
import { readSettings } from '../../local/settings';

const secrets = {
  sealing_keys: 'k1:key',
  postgres_password: 'postgres-secret',
  api_password: 'api-secret',
  worker_password: 'worker-secret',
};
const stack = {
  origin: 'http://127.0.0.1:8080',
  adminUrl: 'postgres://postgres:postgres-secret@127.0.0.1:5433/platform?sslmode=disable',
  temporalAddress: '127.0.0.1:7233',
  standInsUrl: 'http://127.0.0.1:8081',
  signingKeysFile: '/state/token-signing-keys.json',
};

describe('apiEnvironment', () => {
  it('holds what the API needs and hands its options on', () => {
    const settings = readSettings(
      { LOG_LEVEL: 'debug', RATE_LIMIT_PER_MINUTE: '5', OPENAI_API_KEY: 'sk-1' },
      [],
    );
    const environment = apiEnvironment(settings, secrets, stack);
    expect(environment).toMatchObject({
      PUBLIC_ORIGIN: 'http://127.0.0.1:8080',
      HOST: '127.0.0.1',
      PORT: '8080',
      METRICS_PORT: '9080',
      DATABASE_URL: 'postgres://app_api_login:api-secret@127.0.0.1:5433/platform?sslmode=disable',
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_NAMESPACE: 'default',
      TOKEN_SIGNING_KEYS: '/state/token-signing-keys.json',
      SEALING_KEYS: 'k1:key',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_PER_MINUTE: '5',
      PATH: process.env.PATH,
    });
    expect(Object.keys(environment)).not.toContain('TRUSTED_PROXIES');
  });

  it('knows nobody else’s secrets', () => {
    const text = JSON.stringify(apiEnvironment(readSettings({ OPENAI_API_KEY: 'sk-1' }, []), secrets, stack));
    for (const other of ['sk-1', 'worker-secret', 'postgres-secret']) expect(text).not.toContain(other);
  });
});

describe('workerEnvironment', () => {
  const worker = (environment: NodeJS.ProcessEnv) =>
    workerEnvironment(readSettings(environment, []), secrets, stack);

  it('speaks to the stand-in by default', () => {
    expect(worker({})).toMatchObject({
      DATABASE_URL: 'postgres://app_worker_login:worker-secret@127.0.0.1:5433/platform?sslmode=disable',
      OPENAI_BASE_URL: 'http://127.0.0.1:8081/openai/v1',
      OPENAI_API_KEY: 'local',
      METRICS_PORT: '9081',
      SHUTDOWN_GRACE_SECONDS: '5',
    });
  });

  it('speaks to the real provider when there is a key alone', () => {
    const environment = worker({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'a-model' });
    expect(environment).toMatchObject({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'a-model' });
    expect(Object.keys(environment)).not.toContain('OPENAI_BASE_URL');
  });

  it('speaks to the server that is named', () => {
    expect(worker({ OPENAI_BASE_URL: 'https://models.test/v1' })).toMatchObject({
      OPENAI_BASE_URL: 'https://models.test/v1',
      OPENAI_API_KEY: 'local',
    });
  });

  it('knows nobody else’s secrets', () => {
    const text = JSON.stringify(worker({}));
    for (const other of ['api-secret', 'postgres-secret', 'token-signing-keys'])
      expect(text).not.toContain(other);
  });
});

describe('standInsEnvironment', () => {
  it('holds a port and no secret', () => {
    const environment = standInsEnvironment(
      readSettings({ STAND_INS_PORT: '9000', OPENAI_API_KEY: 'sk-1' }, []),
    );
    expect(environment).toMatchObject({ STAND_INS_PORT: '9000' });
    expect(JSON.stringify(environment)).not.toContain('sk-1');
  });
});

describe('readyBlock', () => {
  it('has a curl line with a token and all seven required fields', () => {
    const block = readyBlock({
      base_url: 'http://127.0.0.1:8080/v1',
      origin: 'http://127.0.0.1:8080',
      temporal_ui_url: 'http://127.0.0.1:8233',
      stand_ins_url: 'http://127.0.0.1:8081',
      tokens: { merchant_owner: 'a.b.c' },
      template_ids: { interactive_voice: 'voice-id', interactive_avatar_1: 'avatar-id' },
      metricsPort: 9080,
      workerMetricsPort: 9081,
    });
    const curl = block.split('\n').find((line) => line.startsWith('curl ')) ?? '';
    expect(curl).toMatch(
      /^curl -sS -X POST http:\/\/127\.0\.0\.1:8080\/v1\/job-interview-create -H 'Authorization: Bearer a\.b\.c' /,
    );
    expect(JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '')).toEqual({
      name: expect.any(String),
      location: expect.any(String),
      interview_template_id: 'avatar-id',
      platform_language_code: 'en',
      status: 'active',
      type: 'interview',
      visibility: 'merchant_public',
    });
    expect(block).toContain('http://127.0.0.1:8080/docs');
  });
});
