/** The kinds of objects that entries of the audit log are about, with their meanings. */
export const auditObjects = {
  interview: 'An interview or a position.',
  result: 'A result.',
  enrolment: 'A candidate of an interview: `profile_interview_id`.',
  person: 'A person of the team.',
  directory: 'A directory of the catalogue.',
  knowledge_base: 'A knowledge base.',
  report: 'A report.',
  merchant: 'The account itself.',
  credit_entry: 'An entry of the ledger of credits.',
  service_key: 'A service key.',
  session: 'A session.',
  webhook_endpoint: 'An endpoint of webhooks.',
  webhook_delivery: 'A delivery of a webhook.',
  webhook_replay: 'A replay of deliveries.',
} as const;
export type AuditObject = keyof typeof auditObjects;

/** How actions begin, with the kind of object that they are about. The first match counts. */
const beginnings: readonly (readonly [string, AuditObject])[] = [
  ['job-interview-result-', 'result'],
  ['result-', 'result'],
  ['human-review-', 'result'],
  ['job-interview-set-time-factor', 'enrolment'],
  ['job-interview-', 'interview'],
  ['position-', 'interview'],
  ['invite-users', 'interview'],
  ['team-member-', 'person'],
  ['catalogue-tag-', 'directory'],
  ['knowledge-base-', 'knowledge_base'],
  ['report-', 'report'],
  ['merchant-candidate-', 'enrolment'],
  ['merchant-credit-', 'credit_entry'],
  ['merchant-', 'merchant'],
  ['portal-domain-', 'merchant'],
  ['service-key-', 'service_key'],
  ['session-', 'session'],
  ['webhook-endpoint-', 'webhook_endpoint'],
  ['webhook-delivery-replay', 'webhook_replay'],
  ['webhook-replay-', 'webhook_replay'],
  ['webhook-delivery-', 'webhook_delivery'],
];

/** Returns the kind of object that an action is about, or null for an action that this release does not know. */
export const auditObjectOf = (action: string): AuditObject | null =>
  beginnings.find(([beginning]) => action.startsWith(beginning))?.[1] ?? null;
