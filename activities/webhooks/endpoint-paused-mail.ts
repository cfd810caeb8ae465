import type { Mail } from '../platform/mails/layout';
import { staffMail } from '../platform/mails/staff-mail';

type EndpointPaused = {
  recipient_name: string | null;
  merchant_name: string;
  environment: string;
  /**
   * The host of the endpoint's URL. Paths and queries are left out, because they can contain secrets of receivers.
   */
  host: string;
  reason: 'gone' | 'failing';
  paused_at: Date;
  failing_since: Date | null;
  link: string;
};

/** Returns the mail to the owners of a webhook endpoint that the platform has paused. */
export const endpointPausedMail = (data: EndpointPaused): Mail =>
  staffMail({
    recipient_name: data.recipient_name,
    subject: `Webhooks to ${data.host} are paused (${data.environment})`,
    lead: [
      `The webhook endpoint of ${data.merchant_name} at ${data.host} (${data.environment}) is paused`,
      `since ${toMinute(data.paused_at)}: ${reasonOf(data)}.`,
    ].join(' '),
    deadline: 'No events are lost. They are kept and will be delivered as soon as the endpoint is resumed.',
    guidance: [
      'Fix the receiver, then choose “Resume” on the page of the endpoint. Send a test event from there to check that it responds.',
      'If you no longer need the endpoint, turn it off or delete it on the same page.',
    ].join(' '),
    button: { label: 'Open the endpoint', link: data.link },
    reason: `You received this mail because you are an owner of the account of ${data.merchant_name}.`,
  });

function reasonOf({ reason, failing_since }: EndpointPaused): string {
  if (reason === 'gone')
    return 'it responded with 410 Gone, which means that the receiver wants no more webhooks';
  return failing_since === null
    ? 'no delivery has succeeded for days'
    : `no delivery has succeeded since ${toMinute(failing_since)}`;
}

/** Formats a time as `2026-03-01 09:30 UTC`. */
const toMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
