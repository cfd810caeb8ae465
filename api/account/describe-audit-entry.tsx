import type { ComponentChildren, VNode } from 'preact';
import type { SubjectName } from '../../db/platform/audit';
import { roleNames } from '../platform/site/layout';
import { oneLine } from '../platform/text/one-line';
import type { AuditAction } from './audit-actions';
import { formatCount, pageLink, peopleNouns } from './audit-words';
import type { AuditEntry } from './merchant-audit-list';

/** The names that the page shows for the people and objects in the listed entries, keyed by `<kind> <id>`. */
export type Names = ReadonlyMap<string, string>;
type Kind = SubjectName['kind'];

export const toNames = (subjects: readonly SubjectName[]): Names =>
  new Map(subjects.map(({ kind, id, name }) => [`${kind} ${id}`, name]));

/** Returns the ids that an entry contains. `describeAuditEntry` shows names in their place. */
export const namedIds = ({ object_id, details }: Described): string[] =>
  [object_id, details['profile_id']].filter((id) => typeof id === 'string');

type Described = Pick<AuditEntry, 'action' | 'object_id' | 'details'>;
type ShownEntry = {
  details: AuditEntry['details'];
  id: string;
  /** Returns the text `details[name]`, or `otherwise` if it is missing. */
  text: (name: string, otherwise: string) => string;
  name: (kind: Kind, otherwise: string, id?: unknown) => string;
};
type Words = (entry: ShownEntry) => ComponentChildren;

/** Describes an entry of the audit log in words, with a link to its subject if the subject has a page. */
export function describeAuditEntry(entry: Described, names: Names): ComponentChildren {
  const { details } = entry;
  const id = entry.object_id ?? '';
  const words = (wordsOf as Partial<Record<string, Words>>)[entry.action];
  if (!words) return entry.action;
  return words({
    details,
    id,
    text: (name, otherwise) => (typeof details[name] === 'string' ? details[name] : otherwise),
    name: (kind, otherwise, named = id) => names.get(`${kind} ${String(named)}`) ?? otherwise,
  });
}

function invited({ details, name }: ShownEntry): string {
  const people = Object.entries(peopleNouns).flatMap(([type, nouns]) => {
    if (!details[type]) return [];
    const interviews = Number(details['interviews']);
    const where =
      type === 'candidate'
        ? ` to ${interviews > 1 ? `${interviews} interviews` : name('interview', 'an interview')}`
        : '';
    return [formatCount(details[type], nouns) + where];
  });
  return `Invited ${people.join(', ')}`;
}

const registered = ({ details, name }: ShownEntry): string =>
  `Registered ${formatCount(details['people'], peopleNouns.candidate)} for ${name('interview', 'an interview')}` +
  (details['is_test'] === true ? ', as a test' : '');

function created({ details, id, name }: ShownEntry): ComponentChildren {
  const known = name('interview', '');
  if (known === '') return 'Began to create an interview, which was not finished';
  return [
    'Created interview ',
    pageLink(`/interviews/${id}`, known),
    details['is_embedded'] === true && ' with an embed key',
  ];
}

function stateSet({ details, name, text }: ShownEntry): string {
  const parts = [
    text('status', '') && `Set ${name('interview', 'an interview')} to ${text('status', '')}`,
    details['embed_key'] === 'made' && `Made an embed key for ${name('interview', 'an interview')}`,
    Array.isArray(details['embed_origins']) &&
      `Set the sites that may show ${name('interview', 'an interview')}`,
    details['embed_key'] === 'revoked' && `Revoked the embed key of ${name('interview', 'an interview')}`,
  ];
  return parts.filter(Boolean).join('. ');
}

const stepNouns = ['step', 'steps'] as const;
const position = ({ id, name }: Pick<ShownEntry, 'id' | 'name'>): VNode =>
  pageLink(`/positions/${id}`, name('interview', 'a position'));

const stepsChanged: Words = (entry) => {
  const { added, removed } = entry.details;
  const parts = [
    added !== 0 && `${formatCount(added, stepNouns)} added`,
    removed !== 0 && `${formatCount(removed, stepNouns)} removed`,
  ].filter((part) => part !== false);
  return ['Changed the steps of ', position(entry), `: ${parts.join(', ') || 'another order'}`];
};

const directory =
  (verb: string): Words =>
  ({ details, id, name }) =>
    `${verb} ${details['is_platform_wide'] === true ? 'platform-wide ' : ''}directory ${name('directory', id)}`;

/**
 * Writes a phrase such as `deleted webhook endpoint Sales`. A deleted endpoint has a name, but no page to link to.
 */
const endpoint =
  (verb: string): Words =>
  ({ id, name, text }) => {
    const known = name('endpoint', '');
    if (known !== '') return [verb, ' webhook endpoint ', pageLink(`/endpoints/${id}`, known)];
    const deleted = name('deleted_endpoint', 'that was deleted later');
    return `${verb} webhook endpoint ${text('description', text('host', deleted))}`;
  };

const result =
  (verb: string): Words =>
  ({ id, name }) => {
    const candidate = oneLine(name('result', ''));
    const label = candidate === '' ? 'a result' : `the result of ${candidate}`;
    return [verb, ' ', pageLink(`/results/${id}`, label)];
  };

/**
 * Lists the fields that an update of a result can change, each with its verb, in the order in which the sentence
 * names them.
 */
const resultUpdates: readonly (readonly [field: string, verb: (value: unknown) => string])[] = [
  [
    'recruiter_go_next_round',
    (value) => (value === true ? 'advanced' : value === false ? 'rejected' : 'cleared the decision on'),
  ],
  [
    'recruiter_shortlist',
    (value) =>
      value === true
        ? 'shortlisted'
        : value === false
          ? 'cleared the shortlist mark of'
          : 'changed the shortlist mark of',
  ],
  ['stage', (value) => (typeof value === 'string' ? `set the stage ${value} of` : 'cleared the stage of')],
  ['user_feedback_recruiter', () => 'changed the note on'],
  ['recruiter_risks', () => 'changed the risks of'],
];
const list = new Intl.ListFormat('en');

const resultUpdated: Words = (entry) => {
  const { updated_fields: changed } = entry.details;
  const verbs = resultUpdates
    .filter(([field]) => Array.isArray(changed) && changed.includes(field))
    .map(([field, verb]) => verb(entry.details[field]));
  const words = list.format(verbs.length > 0 ? verbs : ['changed']);
  return result(words.slice(0, 1).toUpperCase() + words.slice(1))(entry);
};

const person =
  (verb: string, after: (entry: ShownEntry) => string = () => ''): Words =>
  (entry) => [verb, ' ', pageLink('/team', entry.name('person', 'a person')), after(entry)];

const role = (name: unknown) => roleNames[String(name)] ?? String(name);

/** A report that its creator did not share has an empty title for everybody else, so no link is shown. */
const report =
  (verb: string): Words =>
  ({ id, name }) => {
    const title = name('report', '');
    return title === '' ? `${verb} a private report` : [`${verb} report `, pageLink(`/reports/${id}`, title)];
  };

const knowledgeBase =
  (verb: string): Words =>
  ({ id, name }) => [
    `${verb} knowledge base `,
    pageLink(`/knowledge/${id}`, name('knowledge_base', 'that is not here')),
  ];

/** Writes what an owner changed about the decisions of agents. */
const decisions =
  (whose: string): Words =>
  ({ details, text }) => [
    details['unattended_decisions'] === true ? 'Allowed ' : 'Stopped ',
    `unattended decisions of ${whose}`,
    pageLink('/access', text('name', '')),
  ];

const wordsOf: Record<AuditAction, Words> = {
  'invite-users': invited,
  'job-interview-register-users': registered,
  'job-interview-create': created,
  'job-interview-create-from-array': created,
  'job-interview-update': ({ id, name }) => [
    'Changed interview ',
    pageLink(`/interviews/${id}`, name('interview', 'that was deleted later')),
  ],
  'job-interview-set-state': stateSet,
  'job-interview-render-videos': ({ details, id, name }) => [
    `Rendered ${formatCount(details['queued'], ['video', 'videos'])} of `,
    pageLink(`/interviews/${id}`, name('interview', 'an interview that was deleted later')),
    ' again',
  ],
  'position-create': ({ details, id, name }) => [
    'Created position ',
    position({ id, name }),
    ` with ${formatCount(details['steps'], stepNouns)}`,
  ],
  'position-update-steps': stepsChanged,
  'job-interview-result-update': resultUpdated,
  'job-interview-result-request-another-attempt': result('Reopened'),
  'job-interview-result-override-score': (entry) =>
    result(entry.details['score'] === null ? 'Restored the computed score of' : 'Set a score of')(entry),
  'job-interview-result-rescore': result('Requested another scoring of'),
  'result-attempt-grant': result('Granted another attempt of'),
  'result-pdf-create': result('Created again the PDF of'),
  'human-review-answer': result('Answered the request for a review by a person of'),
  'job-interview-set-time-factor': ({ details }) =>
    details['request'] === 'declined'
      ? 'Declined a request for more time'
      : [
          details['time_factor'] !== undefined &&
            `Set the time of a candidate to × ${Number(details['time_factor'])}`,
          details['may_type'] !== undefined &&
            (details['may_type'] === true
              ? 'Let a candidate type instead of recording videos'
              : 'Required videos of a candidate again'),
        ]
          .filter(Boolean)
          .join('. '),
  'merchant-candidate-withdraw': ({ text }) => [
    'Withdrew ',
    pageLink(`/candidates/${text('profile_id', '')}`, 'a candidate'),
  ],
  'knowledge-base-create': knowledgeBase('Created'),
  'knowledge-base-update': (entry) =>
    knowledgeBase(
      entry.details['status'] === 'archived'
        ? 'Archived'
        : entry.details['status'] === 'active'
          ? 'Reactivated'
          : 'Changed',
    )(entry),
  'catalogue-tag-create': directory('Created'),
  'catalogue-tag-update': directory('Changed'),
  'report-create': report('Created'),
  'report-update': (entry) =>
    report(entry.details['target'] === 'draft' ? 'Saved a draft of' : 'Published')(entry),
  'report-share': (entry) => report(entry.details['shared'] === false ? 'Unshared' : 'Shared')(entry),
  'report-archive': report('Archived'),
  'report-schedule': (entry) =>
    report(entry.details['every'] === 'off' ? 'Stopped the mails of' : 'Scheduled mails of')(entry),
  'team-member-invite': person('Invited', ({ text }) => ` as ${role(text('role', ''))}`),
  'team-member-role': person('Changed the role of', ({ text }) => ` to ${role(text('to', ''))}`),
  'team-member-withdraw': (entry) =>
    person(entry.details['what'] === 'invitation' ? 'Withdrew the invitation of' : 'Ended the access of')(
      entry,
    ),
  'team-member-positions': person('Changed the positions of', ({ details: { to } }) =>
    Array.isArray(to) ? ` to ${formatCount(to.length, ['position', 'positions'])}` : ' to all positions',
  ),
  'team-member-disable': person('Disabled'),
  'team-member-enable': person('Enabled'),
  'service-key-create': ({ text }) => ['Created service key ', pageLink('/access', text('name', ''))],
  'service-key-decisions': decisions('the service key '),
  'session-decisions': decisions('the agent '),
  'service-key-revoke': ({ text }) => ['Revoked service key ', pageLink('/access', text('name', ''))],
  'session-create': ({ details, text, name }) => [
    details['agent'] === undefined ? 'Opened session ' : 'Connected the agent ',
    pageLink('/access', text('label', '')),
    ' for ',
    name('person', 'a person', details['profile_id']),
  ],
  'session-revoke': () => ['Revoked ', pageLink('/access', 'a session')],
  'merchant-create': () => 'Created the account',
  'merchant-update': () => 'Changed the account',
  'merchant-credit-add': ({ details }) => [
    Number(details['amount']) < 0 ? 'Took away ' : 'Added ',
    pageLink('/usage', `${Math.abs(Number(details['amount']))} ${String(details['bucket'])} credits`),
  ],
  'merchant-settings-update': () => ['Changed the ', pageLink('/settings', 'settings')],
  'portal-domain-verify': ({ text }) => [
    'Verified the portal domain ',
    pageLink('/settings', text('portal_domain', '')),
  ],
  'webhook-endpoint-create': endpoint('Created'),
  'webhook-endpoint-update': endpoint('Changed'),
  'webhook-endpoint-delete': endpoint('Deleted'),
  'webhook-endpoint-pause': endpoint('Paused'),
  'webhook-endpoint-resume': endpoint('Resumed'),
  'webhook-endpoint-test': endpoint('Sent a test event to'),
  'webhook-endpoint-rotate-secret': endpoint('Rotated the secret of'),
  'webhook-delivery-retry': ({ id }) => ['Retried ', pageLink(`/deliveries/${id}`, 'a delivery')],
  'webhook-delivery-replay': ({ details }) => [
    'Started a ',
    pageLink('/replays', 'replay'),
    ' of ',
    formatCount(details['matched'], ['delivery', 'deliveries']),
  ],
  'webhook-replay-cancel': () => ['Canceled a ', pageLink('/replays', 'replay')],
};
