import path from 'node:path';
import { portsOf, readSettings } from '../../../local/settings';

describe('readSettings', () => {
  it('returns the documented ports by default', () => {
    expect(readSettings({}, [])).toMatchObject({
      PORT: 8080,
      METRICS_PORT: 9080,
      WORKER_METRICS_PORT: 9081,
      LIVE_PORT: 8082,
      LIVE_METRICS_PORT: 9082,
      FAKES_PORT: 8081,
      POSTGRES_PORT: 5433,
      TEMPORAL_PORT: 7233,
      TEMPORAL_UI_PORT: 8233,
      TEMPORAL_NAMESPACE: 'default',
      LOCAL_DIR: path.resolve('.local'),
      fresh: false,
    });
  });

  it('moves the metrics ports along with PORT, downwards where there is no room above', () => {
    expect(readSettings({ PORT: '18080' }, [])).toMatchObject({
      METRICS_PORT: 19080,
      WORKER_METRICS_PORT: 19081,
    });
    expect(readSettings({ PORT: '65000' }, [])).toMatchObject({
      METRICS_PORT: 64000,
      WORKER_METRICS_PORT: 64001,
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: ' ' }, [])).toMatchObject({ PORT: 8080 });
  });

  it('accepts --fresh and no other argument', () => {
    expect(readSettings({}, ['--fresh']).fresh).toBe(true);
    expect(() => readSettings({}, ['--frsh'])).toThrow(
      '"--frsh" is not an argument of npm start: there is only --fresh, after two dashes.',
    );
  });

  it.each([
    [{ PORT: '0' }, 'PORT must be a port, a whole number from 1 to 65535, not "0".'],
    [
      { TEMPORAL_UI_PORT: '70000' },
      'TEMPORAL_UI_PORT must be a port, a whole number from 1 to 65535, not "70000".',
    ],
    [{ TEMPORAL_ADDRESS: 'localhost' }, 'TEMPORAL_ADDRESS must be host:port, not "localhost".'],
  ])('throws with the variable and the value of %j', (environment, sentence) => {
    expect(() => readSettings(environment, [])).toThrow(sentence);
  });

  it('accepts a folder or a bucket for the recordings, and throws without the value of anything else', () => {
    const bucket = 's3://recordings?region=eu-central-1';
    expect(readSettings({ OBJECT_STORE: bucket }, []).OBJECT_STORE).toBe(bucket);
    expect(readSettings({}, []).OBJECT_STORE).toBeUndefined();
    expect(() => readSettings({ OBJECT_STORE: 's3://key:secret@recordings' }, [])).toThrow(
      /^OBJECT_STORE must be file:\/\/\/folder or s3:\/\/[^,]*, which may end in [^,]*\.$/,
    );
  });

  it('ignores the variables of TLS for a Temporal server of its own, and passes them on otherwise', () => {
    const cloud = { TEMPORAL_API_KEY: 'key', TEMPORAL_TLS_CERT: '/nowhere/client.pem' };
    expect(readSettings(cloud, []).given).toEqual({});
    const { TEMPORAL_API_KEY } = cloud;
    const elsewhere = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_API_KEY };
    expect(readSettings(elsewhere, []).given).toEqual(elsewhere);
    expect(() => readSettings({ ...elsewhere, ...cloud }, [])).toThrow(
      /^TEMPORAL_TLS_CERT must be [^,]+, or [^,]+\.$/,
    );
  });

  it('throws without the value of a bad secret', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://me:secret@host/db' }, [])).toThrow(
      /^DATABASE_URL must be an address like postgres:\/\/user:password@host:5432\/database\.$/,
    );
  });
});

describe('portsOf', () => {
  it('leaves out the servers that run elsewhere', () => {
    const all = portsOf(readSettings({}, [])).map(({ variable }) => variable);
    expect(all).toEqual(
      expect.arrayContaining(['PORT', 'FAKES_PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']),
    );
    const settings = readSettings(
      { DATABASE_URL: 'postgres://a:b@db/x', TEMPORAL_ADDRESS: 'temporal:7233' },
      [],
    );
    expect(portsOf(settings).map(({ variable }) => variable)).toEqual([
      'PORT',
      'METRICS_PORT',
      'WORKER_METRICS_PORT',
      'LIVE_PORT',
      'LIVE_METRICS_PORT',
      'FAKES_PORT',
    ]);
  });
});
