import { apiEnvironment, fakesEnvironment, workerEnvironment } from '../../../local/environments';
import { readyBlock } from '../../../local/ready-block';
import { readSettings } from '../../../local/settings';

const secrets = {
  sealing_keys: 'k1:key',
  postgres_password: 'postgres-secret',
  api_password: 'api-secret',
  worker_password: 'worker-secret',
  event_signing_key: 'event-signing-secret',
  event_key: 'event-key',
  message_token: 'message-token',
  video_secret: 'video-secret',
};
const stack = {
  origin: 'http://127.0.0.1:8080',
  adminUrl: 'postgres://postgres:postgres-secret@127.0.0.1:5433/platform?sslmode=disable',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: 'http://127.0.0.1:8233',
  fakesUrl: 'http://127.0.0.1:8081',
  signingKeysFile: '/state/token-signing-keys.json',
  portalOrigin: 'http://localhost:8080',
  linkKeysFile: '/state/link-signing-keys.json',
  objectStore: 'file:///state/objects',
};

describe('apiEnvironment', () => {
  it('accepts events of the real mail provider only with the key of its events', () => {
    const keyOf = (environment: NodeJS.ProcessEnv) =>
      apiEnvironment(readSettings(environment, []), secrets, stack)['SENDGRID_EVENT_KEY'];
    expect(keyOf({ SENDGRID_API_KEY: 'SG.1' })).toBeUndefined();
    expect(keyOf({ SENDGRID_API_KEY: 'SG.1', SENDGRID_EVENT_KEY: 'theirs' })).toBe('theirs');
  });

  it('passes the variables of the AWS SDK on only when the recordings are in a bucket', () => {
    const settings = readSettings({ AWS_ACCESS_KEY_ID: 'AKIATEST' }, []);
    const keyOf = (objectStore: string) =>
      apiEnvironment(settings, secrets, { ...stack, objectStore })['AWS_ACCESS_KEY_ID'];
    expect(keyOf('s3://recordings?region=eu-central-1')).toBe('AKIATEST');
    expect(keyOf(stack.objectStore)).toBeUndefined();
  });

  it('contains no secrets of other processes', () => {
    const settings = readSettings(
      {
        OPENAI_API_KEY: 'sk-1',
        SENDGRID_API_KEY: 'SG.1',
        SUPPORT_DESK_TOKEN: 'desk-1',
        FEATURE_BOARD_KEY: 'board-key',
      },
      [],
    );
    const text = JSON.stringify(apiEnvironment(settings, secrets, stack));
    for (const other of [
      'sk-1',
      'SG.1',
      'board-key',
      'desk-1',
      'worker-secret',
      'postgres-secret',
      'event-signing-secret',
    ])
      expect(text).not.toContain(other);
  });
});

describe('workerEnvironment', () => {
  const worker = (environment: NodeJS.ProcessEnv) =>
    workerEnvironment(readSettings(environment, []), secrets, stack);

  it('uses fake providers, and a real one when its key or its address is set', () => {
    expect(worker({})).toMatchObject({
      OPENAI_BASE_URL: 'http://127.0.0.1:8081/openai/v1',
      SENDGRID_BASE_URL: 'http://127.0.0.1:8081/sendgrid',
      TWILIO_URL: 'http://127.0.0.1:8081/twilio',
      FEATURE_BOARD_BASE_URL: 'http://127.0.0.1:8081/board',
      SUPPORT_DESK_BASE_URL: 'http://127.0.0.1:8081/support',
    });
    expect(Object.keys(worker({ SENDGRID_API_KEY: 'SG.1' }))).not.toContain('SENDGRID_BASE_URL');
    const environment = worker({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'a-model' });
    expect(environment).toMatchObject({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'a-model' });
    expect(Object.keys(environment)).not.toContain('OPENAI_BASE_URL');

    const set = { FEATURE_BOARD_KEY: 'board-key', FEATURE_BOARD_ID: 'b1' };
    const address = { FEATURE_BOARD_BASE_URL: 'https://canny.io' };
    expect(worker(set)).toMatchObject({ ...set, ...address });
    expect(apiEnvironment(readSettings(set, []), secrets, stack)).toMatchObject(address);

    const board = { FEATURE_BOARD_BASE_URL: 'https://board.test', FEATURE_BOARD_KEY: 'board-key' };
    expect(worker(board)).toMatchObject(board);
    expect(worker({ SENDGRID_BASE_URL: 'https://mails.test' })).toMatchObject({
      SENDGRID_BASE_URL: 'https://mails.test',
      SENDGRID_API_KEY: 'local',
    });
    expect(worker({ OPENAI_BASE_URL: 'https://models.test/v1' })).toMatchObject({
      OPENAI_BASE_URL: 'https://models.test/v1',
      OPENAI_API_KEY: 'local',
    });
  });

  it('contains no secrets of other processes', () => {
    const text = JSON.stringify(worker({}));
    for (const other of ['api-secret', 'postgres-secret', 'token-signing-keys', 'event-signing-secret'])
      expect(text).not.toContain(other);
  });
});

describe('fakesEnvironment', () => {
  it('contains a port, the address and signing key of mail events, the token of messages, and no other secret', () => {
    const environment = fakesEnvironment(
      readSettings({ PORT: '9001', FAKES_PORT: '9000', OPENAI_API_KEY: 'sk-1' }, []),
      secrets,
    );
    expect(environment).toMatchObject({
      FAKES_PORT: '9000',
      SENDGRID_EVENTS_URL: 'http://127.0.0.1:9001/hooks/sendgrid',
      SENDGRID_EVENT_SIGNING_KEY: 'event-signing-secret',
      TWILIO_AUTH_TOKEN: 'message-token',
    });
    for (const other of ['sk-1', 'api-secret', 'worker-secret', 'postgres-secret'])
      expect(JSON.stringify(environment)).not.toContain(other);
  });
});

describe('readyBlock', () => {
  it('prints a curl line with a token and all seven required fields', () => {
    const block = readyBlock({
      base_url: 'http://127.0.0.1:8080/v1',
      origin: 'http://127.0.0.1:8080',
      portal_url: 'http://localhost:8080',
      console_link: 'http://127.0.0.1:8080/console/enter?token=si_abc',
      temporal_ui_url: 'http://127.0.0.1:8233',
      fakes_url: 'http://127.0.0.1:8081',
      links: {
        typed_interview: 'http://localhost:8080/interview/take/typed/',
        recorded_interview: 'http://localhost:8080/interview/take/recorded/',
        coaching_session: 'http://localhost:8080/session/s',
      },
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
    for (const line of ['interview/take/typed/', 'interview/take/recorded/', 'session/s'])
      expect(block.split('\n')).toContain(`http://localhost:8080/${line}`);
    expect(block).toMatch(/Console +http:\/\/127\.0\.0\.1:8080\/console\/enter\?token=si_abc /);
  });
});
