import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readApiConfig } from '../../../api/config';

const keys = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', kid: 'k', x: 'x', y: 'y', d: 'd' }] });
const least = {
  PUBLIC_ORIGIN: 'https://api.example.com',
  PORTAL_ORIGIN: 'https://portal.example.com',
  DATABASE_URL: 'postgres://a:b@127.0.0.1/x',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  TOKEN_SIGNING_KEYS: keys,
  LINK_SIGNING_KEYS: keys,
  SEALING_KEYS: 'k1:AAAA',
  OBJECT_STORE: 'file:///var/lib/platform/objects',
};
const refusal = (more: NodeJS.ProcessEnv): string => {
  try {
    readApiConfig({ ...least, ...more });
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('readApiConfig', () => {
  it.each([
    [{ TEMPORAL_NAMESPACE: 'acme.a1b2c', TEMPORAL_API_KEY: 'ey.J-_' }, 'accepted'],
    [{ TEMPORAL_TLS: 'false' }, 'accepted'],
    [
      { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'key' },
      'TEMPORAL_API_KEY: needs TLS: unset it, or set TEMPORAL_TLS to true',
    ],
    [
      { TEMPORAL_TLS_KEY: '/nowhere/client.key', TEMPORAL_TLS_CERT: 'client.pem' },
      'TEMPORAL_TLS_CERT: must be a certificate in PEM, or the path of a file that this process can read\n' +
        'TEMPORAL_TLS_KEY: must be an unencrypted private key in PEM, or the path of a file that this process can read',
    ],
    [{ TEMPORAL_API_KEY: 'two keys' }, 'TEMPORAL_API_KEY: must be an API key, without spaces or line breaks'],
  ])('reads the variables of Temporal Cloud (%#)', (more, outcome) => expect(refusal(more)).toBe(outcome));

  it('names each missing variable on a line of its own', () => {
    const nothing = Object.fromEntries(Object.keys(least).map((name) => [name, undefined]));
    const lines = refusal(nothing).split('\n');
    expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(new Set(Object.keys(least)));
  });

  it.each(
    ['PUBLIC_ORIGIN', 'PORTAL_ORIGIN'].flatMap((name) =>
      ['http://www.example.com', 'https://www.example.com/v1', 'www.example.com', ''].map((origin) => [
        name,
        origin,
      ]),
    ),
  )('rejects %s %j', (name, origin) => {
    expect(refusal({ [name]: origin })).toMatch(new RegExp(`^${name}: `));
  });

  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://API.example.com:443/', 'https://api.example.com'],
  ])('reads the PUBLIC_ORIGIN %s as %s', (PUBLIC_ORIGIN, origin) => {
    expect(readApiConfig({ ...least, PUBLIC_ORIGIN }).PUBLIC_ORIGIN).toBe(origin);
  });

  it.each([
    ['https://api.example.com', 'the same origin'],
    ['https://api.example.com:8443', 'another port'],
    ['https://API.example.com', 'another case'],
  ])('rejects the PORTAL_ORIGIN %s, which is %s on the host of the API', (PORTAL_ORIGIN) => {
    expect(refusal({ PORTAL_ORIGIN })).toMatch(
      /^PORTAL_ORIGIN: must have a different host name from PUBLIC_ORIGIN/,
    );
  });

  it.each([
    ['http://127.0.0.1:8233', 'http://127.0.0.1:8233'],
    ['https://ops.example.com/temporal/', 'https://ops.example.com/temporal'],
  ])('reads the TEMPORAL_UI_URL %s as %s', (TEMPORAL_UI_URL, url) => {
    expect(readApiConfig({ ...least, TEMPORAL_UI_URL }).TEMPORAL_UI_URL).toBe(url);
  });

  it.each(['javascript:alert(1)', 'ops.example.com', ''])(
    'rejects the TEMPORAL_UI_URL %j',
    (TEMPORAL_UI_URL) => {
      expect(refusal({ TEMPORAL_UI_URL })).toBe(
        'TEMPORAL_UI_URL: must be the address of a Temporal UI, as https://temporal.example.com',
      );
    },
  );

  it('says that PUBLIC_ORIGIN must be https', () => {
    expect(refusal({ PUBLIC_ORIGIN: 'http://api.example.com' })).toBe(
      'PUBLIC_ORIGIN: must be https, but on loopback',
    );
  });

  it.each([
    ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
    ['::1/128', ['::1/128']],
    ['', []],
  ])('reads the TRUSTED_PROXIES %j as a list', (TRUSTED_PROXIES, list) => {
    expect(readApiConfig({ ...least, TRUSTED_PROXIES }).TRUSTED_PROXIES).toEqual(list);
  });

  it.each(['everybody', '10.0.0.0/x', '10.0.0.0/33', '::1/129', '10.0.0.1/8/8', '10.0.0'])(
    'rejects the TRUSTED_PROXIES %j',
    (TRUSTED_PROXIES) =>
      expect(refusal({ TRUSTED_PROXIES })).toMatch(/^TRUSTED_PROXIES: must be addresses or CIDR/),
  );

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['METRICS_PORT', '1.5'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_URL', 'nowhere'],
    ['RATE_LIMIT_PER_MINUTE', '-1'],
    ['ADDRESS_LIMIT_PER_MINUTE', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['TEMPORAL_ADDRESS', ''],
    ['SEALING_KEYS', ''],
    ['OBJECT_STORE', ''],
    ['OBJECT_STORE', 's3://recordings'],
    ...['TOKEN_SIGNING_KEYS', 'LINK_SIGNING_KEYS'].flatMap((name) =>
      ['', '{', '{"keys":[]}', '/no/such/file'].map((value) => [name, value]),
    ),
  ])('throws an error that names %s for the value %j', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  });

  it('reads SENDGRID_EVENT_KEY as SendGrid’s console shows it, and rejects other curves', () => {
    const keyOf = (namedCurve: string) =>
      generateKeyPairSync('ec', { namedCurve })
        .publicKey.export({ format: 'der', type: 'spki' })
        .toString('base64');
    const config = readApiConfig({ ...least, SENDGRID_EVENT_KEY: keyOf('P-256') });
    expect(config.SENDGRID_EVENT_KEY?.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    for (const wrong of [keyOf('P-384'), '', 'key', keyOf('P-256').slice(8)])
      expect(refusal({ SENDGRID_EVENT_KEY: wrong })).toBe(
        'SENDGRID_EVENT_KEY: must be a P-256 public key, base64 of its DER form',
      );
  });

  it('does not repeat a rejected key set in the message', () => {
    expect(refusal({ TOKEN_SIGNING_KEYS: '{"keys": "hush"}' })).toBe(
      'TOKEN_SIGNING_KEYS: must be a JWK set or the path of a file with one',
    );
  });

  it('reads TOKEN_SIGNING_KEYS from a file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'api-config-'));
    const file = path.join(folder, 'keys.json');
    writeFileSync(file, keys);
    expect(readApiConfig({ ...least, TOKEN_SIGNING_KEYS: file }).TOKEN_SIGNING_KEYS).toEqual(
      JSON.parse(keys),
    );
    rmSync(folder, { recursive: true });
  });
});
