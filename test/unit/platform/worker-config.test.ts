import { readWorkerConfig } from '../../../activities/config';
import { leastWorkerVariables as least } from '../../harness/platform/worker-variables';

const refusal = (environment: NodeJS.ProcessEnv): string => {
  try {
    readWorkerConfig(environment);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('readWorkerConfig', () => {
  it('names each missing variable on a line of its own', () => {
    const lines = refusal({}).split('\n');
    expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(new Set(Object.keys(least)));
  });

  it('requires a key and an id for a feature board', () => {
    const board = { FEATURE_BOARD_BASE_URL: 'https://canny.io', FEATURE_BOARD_KEY: 'key' };
    expect(refusal({ ...least, ...board })).toBe('FEATURE_BOARD_ID: is required with FEATURE_BOARD_BASE_URL');
    expect(refusal({ ...least, ...board, FEATURE_BOARD_ID: 'b1' })).toBe('accepted');
    expect(refusal({ ...least, ...board, FEATURE_BOARD_ID: 'b1', FEATURE_BOARD_BASE_URL: 'nowhere' })).toBe(
      'FEATURE_BOARD_BASE_URL: must be an http or https address',
    );
  });

  it.each([
    ['DATABASE_DIRECT_URL', 'nowhere'],
    ['OPENAI_BASE_URL', 'nowhere'],
    ['AI_CONCURRENCY', '0'],
    ['AI_CONCURRENCY', '501'],
    ['SENDGRID_BASE_URL', 'nowhere'],
    ['MAIL_FROM', 'Acme'],
    ['MAIL_FROM', 'Acme <a@example.com>'],
    ['MAILS_PER_SECOND', '0'],
    ['SHUTDOWN_GRACE_SECONDS', '-1'],
    ['SEALING_KEYS', ''],
    ['SUPPORT_DESK_USER', 'Ann'],
  ])('throws an error that names %s for the value %j', (name, value) => {
    expect(refusal({ ...least, [name]: value })).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  });

  it('requires the name of the build for versioned workers, also where an image has an empty one', () => {
    const versioned = { ...least, TEMPORAL_DEPLOYMENT_NAME: 'platform' };
    expect([refusal(versioned), refusal({ ...versioned, BUILD_ID: '' })]).toEqual(
      Array(2).fill('BUILD_ID: is required with TEMPORAL_DEPLOYMENT_NAME'),
    );
    expect(refusal({ ...versioned, BUILD_ID: '3f2a91c' })).toBe('accepted');
  });

  it('requires all variables of the support desk together', () => {
    const desk = { SUPPORT_DESK_BASE_URL: 'https://acme.zendesk.test' };
    const whole = { ...desk, SUPPORT_DESK_USER: 'ann@acme.test', SUPPORT_DESK_TOKEN: 'key' };
    expect(refusal({ ...least, ...desk })).toBe(
      'SUPPORT_DESK_USER: is required with SUPPORT_DESK_BASE_URL\nSUPPORT_DESK_TOKEN: is required with SUPPORT_DESK_BASE_URL',
    );
    expect(readWorkerConfig({ ...least, ...whole })).toMatchObject(whole);
    expect(refusal({ ...least, ...whole, SUPPORT_DESK_BASE_URL: 'ftp://desk.example' })).toBe(
      'SUPPORT_DESK_BASE_URL: must be an http or https address',
    );
  });
});
