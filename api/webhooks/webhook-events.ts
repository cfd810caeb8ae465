import type { SyncChangedPayload, WebhookEvent, WebhookPayload } from './webhook-body';
import { webhookSamples } from './webhook-samples';

type EventTexts = {
  /** The meaning of the value in lists of events. */
  meaning: string;
  /** The title of the event in the published description. */
  summary: string;
  /** What the published description says about when the event fires and what its body contains. */
  firesWhen: string;
  sample: WebhookPayload | SyncChangedPayload;
};

/** Everything that the API says about an event. The SQL of the webhooks decides when it fires. */
export const eventTexts: Record<WebhookEvent, EventTexts> = {
  interview_result: {
    meaning: 'A submitted result is scored, or a watched field of it changed since.',
    summary: 'A result is final, or changed after that',
    firesWhen:
      'A submitted result was scored, or a watched field of it changed since (`changed`). If PDF generation is enabled for the interview, the event waits until `pdf_export_url` is set or PDF generation is turned off. If the PDF cannot be made, the event is sent with `pdf_export_url` null, and again when the PDF is made later. If the result was reopened before a late or replayed delivery is sent, its `status` is `draft`.',
    sample: webhookSamples.interview_result,
  },
  interview_collected: {
    meaning: 'All answers were received; the result is not yet submitted or scored.',
    summary: 'All answers were received',
    firesWhen:
      'All answers were received and scoring has not started: scores and analyses are null. A late or replayed delivery may contain scores, because the body is the result at the time of the attempt.',
    sample: webhookSamples.interview_collected,
  },
  interview_failed: {
    meaning: 'An attempt failed, was abandoned, or ended because nothing was said.',
    summary: 'An interview ended without a result',
    firesWhen:
      'An attempt failed, was abandoned, or ended because nothing was said. Scores and analyses are usually null.',
    sample: webhookSamples.interview_failed,
  },
  'sync.changed': {
    meaning: 'Something of the account has changed. Read it with `sync`.',
    summary: 'Something of the account has changed',
    firesWhen:
      'Something that `sync` returns has changed since the last such event: at most one event a minute and endpoint, and none while one waits for the endpoint. It says nothing about what has changed, and is not in `event-list`.',
    sample: webhookSamples['sync.changed'],
  },
};

/** The meaning of each event in lists of events. */
export const eventMeanings = Object.fromEntries(
  Object.entries(eventTexts).map(([event, { meaning }]) => [event, meaning]),
) as Record<WebhookEvent, string>;
