import { randomUUID } from 'node:crypto';
import { createDoor } from '../harness/door';
import { infrastructure } from '../harness/infrastructure';
import { waitFor } from '../harness/interview-rows';
import {
  arrivals,
  grantInvitations,
  inviteCandidates,
  mailbox,
  mailsTo,
  waitForMails,
} from '../harness/mailbox';
import { startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';
import type { TestProcess } from '../harness/process';

let platform: Platform;
let door: Awaited<ReturnType<typeof createDoor>>;
let worker: TestProcess;
beforeAll(async () => {
  door = await createDoor(infrastructure().temporalAddress);
  const engine = { TEMPORAL_ADDRESS: door.address };
  platform = await startPlatform({ worker: false, api: engine, workerVariables: engine });
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
const mailed = (atLeast: number) =>
  waitFor(`${atLeast} mails`, async () => (await mailbox(platform)).length >= atLeast);
/** How often each mail has arrived, once all are sent. */
async function arrivedOf(domain: string): Promise<{ id: string; arrived: number; attempts: number }[]> {
  const mails = await waitForMails(platform, domain, ({ state }) => state === 'sent');
  const counts = await arrivals(platform);
  return mails.map(({ id, attempts }) => ({ id, arrived: counts.get(id) ?? 0, attempts }));
}

describe('mails of an invitation', () => {
  it('the workflow engine is away: the invitation is taken, its mails go once it is back', async () => {
    const { domain, emails } = people(3);
    await inviteCandidates(platform, emails);
    // Says that it is ready once the engine is there.
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
    const before = (await mailbox(platform)).length;
    const { domain, emails } = people(1_000);
    await inviteCandidates(platform, emails);
    await mailed(before + 250);
    await worker.kill();
    const cutOff = new Set(
      (await mailsTo(platform, domain)).filter(({ state }) => state === 'sending').map(({ id }) => id),
    );
    expect(cutOff.size).toBeLessThanOrEqual(chunk);
    worker = await platform.startWorker();
    await mailed(before + 600);
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
