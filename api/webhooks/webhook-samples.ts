import type { SyncChangedPayload, WebhookEvent, WebhookPayload } from './webhook-body';

const resultSample: WebhookPayload = {
  type: 'interview_result',
  timestamp: '2026-01-15T09:42:10.500Z',
  id: '5bc7a62e-7d0f-4c3a-9a53-1f6f0d8f2b61',
  interview_id: 'fbb18551-956a-4ead-9a15-0e02eac94f8e',
  question_set_id: 'fbb18551-956a-4ead-9a15-0e02eac94f8e',
  status: 'active',
  interview_status: 'completed',
  processing_status: 'completed',
  attempt: 1,
  revision: 6,
  updated_at: '2026-01-15T09:42:10.480Z',
  profile_interview_id: '61e5d791-c7aa-4017-a44f-4e53939fe314',
  profile_id: '0d3c5b0a-2f5e-4f0b-8f39-6a3a1c9be7a2',
  candidate_name: 'Cora Candidate',
  candidate_email: 'cora.candidate@example.com',
  candidate_phone_number: '+31 20 555 0100',
  candidate_external_id: 'crm-1042',
  score: 8.4,
  ai_analysis_recruiter_score: 8.1,
  ai_analysis:
    'What went well: Explains decisions with figures (“we cut the error rate from two percent to a tenth of that”).\nWorth adding: Names what was learned.',
  ai_analysis_recruiter:
    'Shown: Explains decisions with figures (“we cut the error rate from two percent to a tenth of that”).\nNot shown: Names what was learned.',
  ai_analysis_recruiter_why_hire: ['Explains decisions with figures', 'Has run a service on call'],
  ai_analysis_recruiter_why_not_hire: ['Not shown: Names what was learned.'],
  recruiter_go_next_round: null,
  pdf_export_url: null,
  reason:
    'processing_status, score, ai_analysis_recruiter_score, ai_analysis_recruiter, ai_analysis_recruiter_why_hire, ai_analysis_recruiter_why_not_hire',
  changed: [
    'processing_status',
    'score',
    'ai_analysis_recruiter_score',
    'ai_analysis_recruiter',
    'ai_analysis_recruiter_why_hire',
    'ai_analysis_recruiter_why_not_hire',
  ],
  is_test: true,
  is_replay: false,
};

const collectedSample: WebhookPayload = {
  ...resultSample,
  type: 'interview_collected',
  timestamp: '2026-01-15T09:41:32.210Z',
  status: 'draft',
  processing_status: null,
  revision: 3,
  updated_at: '2026-01-15T09:41:32.190Z',
  score: null,
  ai_analysis_recruiter_score: null,
  ai_analysis: null,
  ai_analysis_recruiter: null,
  ai_analysis_recruiter_why_hire: null,
  ai_analysis_recruiter_why_not_hire: null,
  reason: 'interview_status',
  changed: ['interview_status'],
};

/**
 * A realistic payload for each event. `webhook-endpoint-test` sends these payloads, and the published description
 * shows them as examples. The results in them do not exist, and `is_test` is true.
 */
export const webhookSamples: Record<Exclude<WebhookEvent, 'sync.changed'> | 'test', WebhookPayload> & {
  'sync.changed': SyncChangedPayload;
} = {
  interview_result: resultSample,
  interview_collected: collectedSample,
  interview_failed: {
    ...collectedSample,
    type: 'interview_failed',
    timestamp: '2026-01-15T09:33:05.070Z',
    id: '8e0a4c57-1b39-4d8e-b1f4-93c2a7d5e610',
    interview_status: 'abandoned',
    revision: 2,
    updated_at: '2026-01-15T09:33:05.050Z',
  },
  'sync.changed': {
    type: 'sync.changed',
    timestamp: '2026-01-15T09:42:15.020Z',
    is_test: true,
    is_replay: false,
  },
  test: { ...resultSample, type: 'test', reason: 'test', changed: ['test'] },
};

/**
 * Renders the sample that an attempt sends. `timestamp` is the time of the attempt. `id` stands for the id of a
 * result and differs for each delivery. With the same id, a receiver that skips revisions it already has would skip
 * the second sample. `sync.changed` has no id.
 */
export const renderSample = (
  name: string,
  { id, timestamp, is_replay }: Pick<WebhookPayload, 'id' | 'timestamp' | 'is_replay'>,
): string => {
  const sample = sampleOf(name);
  return JSON.stringify({ ...sample, ...('id' in sample && { id }), timestamp, is_replay });
};

/** Returns the sample of this event, or the sample of the test event if there is none with this name. */
export const sampleOf = (name: string): WebhookPayload | SyncChangedPayload =>
  Object.entries(webhookSamples).find(([event]) => event === name)?.[1] ?? webhookSamples.test;
