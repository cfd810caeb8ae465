import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { merchants, people } from '../../../local/seed/accounts';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { putEndpoint } from '../../harness/webhooks/webhook-rows';

let workflow: MailWorker;
beforeAll(async () => {
  workflow = await startMailWorker();
});
afterAll(() => workflow.stop());
afterEach(() => workflow.clear());

const pausedAt = '2026-03-01T09:30:00.000Z';
/** Postgres stores the time with microseconds (123 here), while replies contain only milliseconds. */
const gone = { paused_reason: 'gone', paused_at: pausedAt.replace('.000Z', '.000123Z') };
const insertPaused = (row: Record<string, unknown> = {}) =>
  putEndpoint(workflow.database, { ...gone, ...row });
const find = async (id: string) => {
  const [row] = await workflow.database.rows(
    `select paused_reason, paused_at is not null as has_begun, failing_since is not null as is_failing,
       paused_mailed_at is not null as is_mailed from webhook_endpoint where id = $1`,
    [id],
  );
  return row;
};
const mail = (id: string, heartbeatDetails?: unknown) => {
  const environment = new MockActivityEnvironment(
    { heartbeatDetails },
    { logger: new DefaultLogger('ERROR', () => undefined) },
  );
  const beats: unknown[] = [];
  environment.on('heartbeat', (beat: unknown) => beats.push(beat));
  return { beats, done: environment.run(workflow.pauseActivities.mailEndpointPaused, { endpoint_id: id }) };
};
const owner = people.merchant_owner;

describe('pauseEndpoint and resumeEndpoint', () => {
  const pauseEndpoint = (id: string) => workflow.pauseActivities.pauseEndpoint({ endpoint_id: id });
  const resumeEndpoint = (id: string, pause_since: string | null = null) =>
    workflow.pauseActivities.resumeEndpoint({ endpoint_id: id, pause_since });
  it('pause once and resume once, although each is called twice', async () => {
    const id = await putEndpoint(workflow.database, { failing_since: pausedAt });
    await pauseEndpoint(id);
    await pauseEndpoint(id);
    expect(await find(id)).toMatchObject({ paused_reason: 'by_hand', has_begun: true, is_failing: true });
    await resumeEndpoint(id);
    await resumeEndpoint(id);
    expect(await find(id)).toEqual({
      paused_reason: null,
      has_begun: false,
      is_failing: false,
      is_mailed: false,
    });
  });

  it('keep the reason of a pause by the platform when it is paused by hand', async () => {
    const id = await insertPaused();
    await pauseEndpoint(id);
    expect(await find(id)).toMatchObject({ paused_reason: 'gone' });
  });

  it('keep another pause when the resume of the first one is late', async () => {
    const id = await insertPaused();
    await resumeEndpoint(id, '2026-03-01T09:29:59.999Z');
    expect(await find(id)).toMatchObject({ paused_reason: 'gone' });
    await resumeEndpoint(id, pausedAt);
    expect(await find(id)).toMatchObject({ paused_reason: null });
  });

  it('keep the days of failures when an endpoint that is not paused is resumed', async () => {
    const id = await putEndpoint(workflow.database, { failing_since: pausedAt });
    await resumeEndpoint(id);
    expect(await find(id)).toMatchObject({ is_failing: true });
  });
});

describe('readPause', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['an endpoint without a pause', {}, null],
    ['a pause by the platform', gone, { since: pausedAt, is_by_hand: false, is_mailed: false }],
    [
      'a pause by hand',
      { ...gone, paused_reason: 'by_hand' },
      { since: pausedAt, is_by_hand: true, is_mailed: false },
    ],
    [
      'a pause that was mailed',
      { ...gone, paused_mailed_at: pausedAt },
      { since: pausedAt, is_by_hand: false, is_mailed: true },
    ],
    ['a deleted endpoint', { ...gone, deleted_at: pausedAt }, null],
  ])('returns since when, by whom and whether mailed: %s', async (_what, row, expected) => {
    const endpoint_id = await putEndpoint(workflow.database, row);
    expect(await workflow.pauseActivities.readPause({ endpoint_id })).toEqual(expected);
  });
});

describe('mailEndpointPaused', () => {
  it('mails owners which endpoint, why, since when and how to resume, with only the host of its URL', async () => {
    const id = await insertPaused({ url: 'https://user:pw@hooks.example:8443/in?key=Quetzal' });
    await mail(id).done;
    const mailbox = await workflow.mailbox();
    expect(mailbox.map(({ to }) => to)).toEqual([owner.email]);
    const [{ subject, text, custom_args } = { subject: '', text: '', custom_args: {} }] = mailbox;
    expect(subject).toBe('Webhooks to hooks.example:8443 are paused (production)');
    expect(text).toContain(`https://api.example/console/endpoints/${id}`);
    expect(text).toMatch(/since 2026-03-01 09:30 UTC: it responded with 410 Gone/);
    expect(text).toMatch(/choose “Resume”/);
    expect(`${subject}${text}`).not.toMatch(/Quetzal|\/in\b|pw@/);
    expect(custom_args).toMatchObject({
      mail_id: id,
      merchant_id: merchants.main.id,
      environment: 'production',
    });
    expect(await find(id)).toMatchObject({ is_mailed: true });
    expect(workflow.counted.at(-1)).toBe('endpoint_paused sent');
  });

  it('sends nothing for a pause that was mailed, resumed, by hand or of a deleted endpoint', async () => {
    for (const row of [
      { paused_mailed_at: pausedAt },
      { paused_reason: null, paused_at: null },
      { paused_reason: 'by_hand' },
      { deleted_at: pausedAt },
    ])
      await mail(await insertPaused(row)).done;
    expect(await workflow.mailbox()).toEqual([]);
  });

  it('says since when the endpoint has failed', async () => {
    await mail(await insertPaused({ paused_reason: 'failing', failing_since: '2026-02-24T09:00:00Z' })).done;
    const [letter] = await workflow.mailbox();
    expect(letter?.text).toMatch(/no delivery has succeeded since 2026-02-24 09:00 UTC/);
  });

  describe('with other people at the merchant', () => {
    const insertPerson = async (row: Record<string, unknown>) => {
      const email = `${randomUUID()}@people.example`;
      const values = {
        merchant_id: merchants.other.id,
        role: 'merchant_owner',
        activated_at: pausedAt,
        email,
        email_key: email,
        ...row,
      };
      await workflow.database.rows(
        `insert into profile (${Object.keys(values).join(', ')}) values (${Object.keys(values)
          .map((_, n) => `$${n + 1}`)
          .join(', ')})`,
        Object.values(values),
      );
      return email;
    };
    const theirs = () => insertPaused({ merchant_id: merchants.other.id });
    const recipients = async () => (await workflow.mailbox()).map(({ to }) => to).sort();
    beforeEach(() =>
      workflow.database.rows(`update profile set disabled_at = now() where merchant_id = $1`, [
        merchants.other.id,
      ]),
    );

    it('mails all active owners, or the other staff, but nobody who is disabled or pending', async () => {
      const staff = [await insertPerson({ role: 'merchant' }), await insertPerson({ role: 'merchant' })];
      await insertPerson({ role: 'merchant_selection' });
      await insertPerson({ activated_at: null });
      await mail(await theirs()).done;
      expect(await recipients()).toEqual(staff.sort());
      await workflow.clear();
      const owners = [await insertPerson({}), await insertPerson({})];
      await workflow.database.rows(
        `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'merchant_owner')`,
        [merchants.other.id, people.merchant.id],
      );
      await mail(await theirs()).done;
      expect(await recipients()).toEqual([...owners, people.merchant.email].sort());
      await workflow.database.rows('delete from merchant_access where merchant_id = $1', [
        merchants.other.id,
      ]);
    });

    it('sends nothing when there is nobody to mail, and does not ask again', async () => {
      const id = await theirs();
      await mail(id).done;
      expect(await workflow.mailbox()).toEqual([]);
      expect(await find(id)).toMatchObject({ is_mailed: true });
    });

    it('continues after the people who got the mail when the provider failed in between', async () => {
      for (const name of ['One', 'Two', 'Three']) await insertPerson({ name });
      const id = await theirs();
      await workflow.fault({ delay_ms: 1 });
      await workflow.fault({ status: 503 });
      const first = mail(id);
      await expect(first.done).rejects.toMatchObject({
        type: 'MailProviderUnavailable',
        nonRetryable: false,
      });
      const count = (await workflow.mailbox()).length;
      expect(await find(id)).toMatchObject({ is_mailed: false });
      await workflow.clear();
      await mail(id, first.beats.at(-1)).done;
      expect(count + (await workflow.mailbox()).length).toBe(3);
      expect(JSON.stringify(first.beats)).not.toContain('example');
    });

    it('mails the others when the provider rejects one address', async () => {
      for (const name of ['One', 'Two']) await insertPerson({ name });
      const id = await theirs();
      await workflow.fault({ status: 400, times: 1 });
      await mail(id).done;
      expect(await recipients()).toHaveLength(1);
      expect(await find(id)).toMatchObject({ is_mailed: true });
    });
  });
});
