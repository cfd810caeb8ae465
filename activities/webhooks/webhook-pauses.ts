import { Context, log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { Database } from '../../db/platform/database';
import {
  findPause,
  listOwners,
  lockPause,
  pauseEndpoint,
  recordPauseMail,
  resumeEndpoint,
} from '../../db/webhooks/webhook-pauses';
import type { Owner, Pause } from '../../db/webhooks/webhook-pauses';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import type { SendOneMail } from '../platform/one-mail';
import { endpointPausedMail } from './endpoint-paused-mail';

export type WebhookPauseActivities = ReturnType<typeof createWebhookPauseActivities>;
type Input = { endpoint_id: string };

type WebhookPauseDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  sendOneMail: SendOneMail;
  /** The origin of the console. */
  publicOrigin: string;
};

/** A pause of an endpoint, as its workflow shows it. */
export type ShownPause = { since: string; is_by_hand: boolean; is_mailed: boolean };

/**
 * The activities that pause and resume an endpoint at a person's request, and that mail its owners about a pause. Each
 * is safe to run twice.
 */
export function createWebhookPauseActivities({ database, sendOneMail, publicOrigin }: WebhookPauseDeps) {
  const find = async (endpointId: string): Promise<Pause | undefined> => {
    const pause = await database.writeAsWorker((trx) => trx.maybeOne(findPause(endpointId)));
    return pause;
  };

  return {
    pauseEndpoint: async ({ endpoint_id }: Input): Promise<void> => {
      await database.writeAsWorker((trx) => trx.count(pauseEndpoint(endpoint_id)));
    },

    /**
     * Ends the pause that began at `pause_since`, but no later pause. If `pause_since` is null, ends the current
     * pause.
     */
    resumeEndpoint: ({ endpoint_id, pause_since }: Input & { pause_since: string | null }): Promise<void> =>
      database.writeAsWorker(async (trx) => {
        const held = await trx.maybeOne(lockPause(endpoint_id, pause_since));
        if (held) await trx.count(resumeEndpoint(endpoint_id));
      }),

    /** Returns the endpoint's pause, or null if the endpoint is not paused. */
    readPause: async ({ endpoint_id }: Input): Promise<ShownPause | null> => {
      const pause = await find(endpoint_id);
      return pause
        ? {
            since: pause.paused_at,
            is_by_hand: pause.paused_reason === 'by_hand',
            is_mailed: pause.paused_mailed_at !== null,
          }
        : null;
    },

    /**
     * Mails the owners that the platform has paused their endpoint, unless the pause has ended. Each owner gets one
     * mail per pause, or a second one if the worker dies before it records the first. A retry skips owners whose
     * mails were recorded.
     */
    mailEndpointPaused: async ({ endpoint_id }: Input): Promise<void> => {
      const mailed = new Set(readMailed(Context.current().info.heartbeatDetails));
      const heartbeat = () => Context.current().heartbeat([...mailed]);
      await withHeartbeat(
        async (signal) => {
          const pause = await find(endpoint_id);
          if (!pause || pause.paused_reason === 'by_hand' || pause.paused_mailed_at !== null) return;
          const owners = await database.writeAsWorker((trx) => trx.rows(listOwners(pause.merchant_id)));
          if (owners.length === 0) log.error('found no owner to mail about a pause', { endpoint_id });
          for (const owner of owners) {
            const mail = `${owner.id} ${pause.paused_at}`;
            if (mailed.has(mail)) continue;
            await sendOneMail(toMail(pause, owner, publicOrigin), signal).catch(throwUnlessRefused);
            mailed.add(mail);
            heartbeat();
          }
          await database.writeAsWorker((trx) => trx.count(recordPauseMail(endpoint_id, pause.paused_at)));
        },
        () => [...mailed],
      );
    },
  };
}

/**
 * Returns the keys of the mails that the previous attempt of the activity sent. A key consists of the id of the
 * merchant's owner and the start of the pause.
 */
function readMailed(details: unknown): string[] {
  const parsed = z.array(z.string()).safeParse(details);
  return parsed.success ? parsed.data : [];
}

/**
 * Ignores that the mail provider rejected an address, so that the other owners get their mails. The rejection is
 * already in the log, and the address is not tried again.
 */
function throwUnlessRefused(error: unknown): void {
  if (!(error instanceof ApplicationFailure && error.type === failures.mailRefused)) throw error;
}

const toMail = (pause: Pause, owner: Owner, publicOrigin: string) => ({
  mail_id: pause.endpoint_id,
  kind: 'endpoint_paused' as const,
  to: { email: owner.email, name: owner.name },
  mail: endpointPausedMail({
    recipient_name: owner.name,
    merchant_name: pause.merchant_name,
    environment: pause.environment,
    host: new URL(pause.url).host,
    reason: pause.paused_reason === 'gone' ? 'gone' : 'failing',
    paused_at: new Date(pause.paused_at),
    failing_since: pause.failing_since === null ? null : new Date(pause.failing_since),
    link: `${publicOrigin}/console/endpoints/${pause.endpoint_id}`,
  }),
  merchant_id: pause.merchant_id,
  environment: pause.environment,
});
