import { randomUUID } from 'node:crypto';
import { createDoor } from '../../harness/door';
import { infrastructure } from '../../harness/infrastructure';
import { waitFor } from '../../harness/wait-for';
import { arrivals, grantInvitations, inviteCandidates, mailsTo, waitForMails } from '../../harness/mailbox';
import { startPlatform } from '../../harness/platform';
import type { Platform } from '../../harness/platform';
import type { TestProcess } from '../../harness/process';

let platform: Platform;
let door: Awaited<ReturnType<typeof createDoor>>;
let worker: TestProcess;
beforeAll(async () => {
  door = await createDoor(infrastructure().temporalAddress);
  const temporal = { TEMPORAL_ADDRESS: door.address };
  // A worker that is stopped has all the time that a chunk takes.
  const workerVariables = { ...temporal, SHUTDOWN_GRACE_SECONDS: '100' };
  platform = await startPlatform({ worker: false, api: temporal, workerVariables });
  await grantInvitations(platform);
});
afterAll(async () => {
  await platform.stop();
  await door.close();
});

const chunk = 100;
const people = (count: number) => {
  const domain = `${randomUUID()}.example`;
  return { domain, emails: Array.from({ length: count }, (_, index) => `p${index}@${domain}`) };
};
/** Asked for in one number: to list all mails again and again takes a machine longer than to send them. */
const mailed = (domain: string, atLeast: number) =>
  waitFor(`${atLeast} mails`, async () => {
    const [row] = await platform.database.rows<{ count: number }>(
      `select count(*)::int from mail m join profile p on p.id = m.profile_id
       where split_part(p.email, '@', 2) = $1 and m.state = 'sent'`,
      [domain],
    );
    return row && row.count >= atLeast;
  });
/** How often each mail has arrived, once all are sent. */
async function arrivedOf(domain: string): Promise<{ id: string; arrived: number; attempts: number }[]> {
  const mails = await waitForMails(platform, domain, ({ state }) => state === 'sent');
  const counts = await arrivals(platform);
  return mails.map(({ id, attempts }) => ({ id, arrived: counts.get(id) ?? 0, attempts }));
}

describe('mails of an invitation', () => {
  it('Temporal is away: the invitation is taken, its mails go once it is back', async () => {
    const { domain, emails } = people(3);
    await inviteCandidates(platform, emails);
    // Says that it is ready once Temporal is there.
    const starting = platform.startWorker();
    await inviteCandidates(platform, emails.slice(0, 1));
    const queued = await mailsTo(platform, domain);
    expect(queued.map(({ state, attempts }) => [state, attempts])).toEqual(
      [1, 2, 3, 4].map(() => ['queued', 0]),
    );
    await door.open();
    worker = await starting;
    const mails = await arrivedOf(domain);
    expect(mails.map(({ arrived, attempts }) => [arrived, attempts])).toEqual([1, 2, 3, 4].map(() => [1, 1]));
  });

  it('the worker is killed, and the next one stopped, amid 1,000: none is lost, what the kill cut off may go twice', async () => {
    const { domain, emails } = people(1_000);
    await inviteCandidates(platform, emails);
    await mailed(domain, 250);
    await worker.kill();
    // Until Postgres has ended what the killed one sent last.
    await waitFor('its connections to end', async () => {
      const open = await platform.database.rows(
        `select from pg_stat_activity where datname = current_database() and usename = 'app_worker_login'`,
      );
      return open.length === 0;
    });
    const cutOff = new Set(
      (await mailsTo(platform, domain)).filter(({ state }) => state === 'sending').map(({ id }) => id),
    );
    expect(cutOff.size).toBeLessThanOrEqual(chunk);
    worker = await platform.startWorker();
    await mailed(domain, 600);
    await worker.stop();
    // What it had begun it has ended and recorded.
    const left = (await mailsTo(platform, domain)).filter(({ state }) => state === 'sending');
    expect(left.filter(({ id }) => !cutOff.has(id))).toEqual([]);
    worker = await platform.startWorker();
    const mails = await arrivedOf(domain);
    expect(mails).toHaveLength(1_000);
    for (const { id, arrived, attempts } of mails) {
      if (arrived === 1 && attempts === 1) continue;
      // Sent again, or for the first time by its second claim.
      expect([attempts, cutOff.has(id)]).toEqual([2, true]);
      expect([1, 2]).toContain(arrived);
    }
  });
});
