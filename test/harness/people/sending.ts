import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { MailChunkReport, InvitationActivities } from '../../../activities/people/invitations';
import { createDoor } from '../platform/door';
import type { MailWorker, MailRow } from './mail-worker';

/**
 * Returns `count` unique email addresses. The first ones begin with the words in `first`, all others with the word
 * `secret`. Tests fail if a log contains this word.
 */
export const newEmails = (count: number, first: string[] = []): string[] => {
  const domain = `${randomUUID()}.example`;
  return [...first, ...Array.from({ length: count - first.length }, (_, index) => `secret${index}`)].map(
    (name) => `${name}@${domain}`,
  );
};
export const everyOnce = (count: number) => Array.from({ length: count }, () => 1);
export const states = (mails: MailRow[]) => [...new Set(mails.map(({ state }) => state))];

/**
 * Returns functions that run the activities of invitation mails. After each test, checks that the logs and heartbeats
 * contain no personal data.
 */
export function openSending(mailing: () => MailWorker) {
  /**
   * The log lines and heartbeats of the activities. Operators can read them, so they must not contain personal data.
   */
  const [told, beats]: [unknown[], unknown[]] = [[], []];
  /** The proxies of the mail provider that a test has opened. They are closed after the test. */
  const gates: Awaited<ReturnType<typeof createDoor>>[] = [];
  afterEach(async () => {
    await Promise.all(gates.splice(0).map((gate) => gate.close()));
    await mailing().clear();
    const said = JSON.stringify([told.splice(0), beats.splice(0)]);
    expect(said).not.toMatch(/secret|portal\.example/i);
  });

  function environment(): MockActivityEnvironment {
    const logger = new DefaultLogger('INFO', ({ message, meta }) => void told.push({ message, meta }));
    const created = new MockActivityEnvironment({}, { logger });
    created.on('heartbeat', (details: unknown) => beats.push(details));
    return created;
  }
  const send = (
    batch_id: string,
    activities: InvitationActivities = mailing().activities,
    at = environment(),
  ): Promise<MailChunkReport> => at.run(activities.sendMails, { batch_id });
  return {
    told,
    environment,
    send,
    /** Sends the mails of a batch until none is left to send, as the workflow does. */
    sendAll: async (batchId: string): Promise<void> => {
      while ((await send(batchId)).unsent > 0);
    },
    openGate: async () => {
      const gate = await createDoor(new URL(mailing().url).host, { holdsResponses: true });
      await gate.open();
      gates.push(gate);
      return gate;
    },
    /** Returns how many mails each person of the batch has received. */
    arrived: async (batchId: string): Promise<number[]> => {
      const mails = await mailing().mails(batchId);
      const box = await mailing().mailbox();
      return mails.map(({ id }) => box.filter(({ custom_args: args }) => args['mail_id'] === id).length);
    },
  };
}
