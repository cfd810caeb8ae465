/** The groups of operations in the published OpenAPI document, in the order in which the reference shows them. */
export const tags = {
  Interviews:
    'Create, read and change interview definitions (one stage) and positions (several stages), and list the templates they are built on.',
  Knowledge:
    'Write the knowledge bases from which the AI drafts, asks and answers, and with which it compares answers.',
  People: 'Register candidates for an interview, and invite candidates, team members and coaching users.',
  Results:
    'List and read what candidates submitted, with scores, analyses and transcripts, and record decisions on it.',
  Catalogue: 'Build the pages of the coaching portal: a tree of directories that list coaching sessions.',
  Account:
    'Credits, subscription, invitation budget and audit log of the merchant account, and the accounts of all merchants for platform staff.',
  Reports: 'Build reports from a governed catalog of datasets, store, share and run them.',
  Support: 'Report a technical issue to support, or post a feature request on the public board.',
  Webhooks:
    'Manage the endpoints that receive events about results, and read, retry and replay their deliveries.',
  Sync: 'Hold a complete copy of the account: everything that exists, and every change and deletion from then on.',
} as const;
export type Tag = keyof typeof tags;
