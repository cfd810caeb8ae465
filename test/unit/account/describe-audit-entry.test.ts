import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { auditObjectOf } from '../../../api/account/audit-objects';
import { describeAuditEntry, namedIds, toNames } from '../../../api/account/describe-audit-entry';
import type { AuditEntry } from '../../../api/account/merchant-audit-list';
import { render } from '../../harness/identity/visitor';

const names = toNames([
  { kind: 'interview', id: 'i1', name: 'Backend <engineer>' },
  { kind: 'person', id: 'p1', name: 'Ola Nord' },
  { kind: 'endpoint', id: 'e1', name: 'ATS sync' },
  { kind: 'deleted_endpoint', id: 'e3', name: 'hooks.example.org' },
  { kind: 'directory', id: 'academy', name: 'Academy' },
  { kind: 'report', id: 'r1', name: 'Hiring month' },
  { kind: 'knowledge_base', id: 'k1', name: 'Refunds' },
]);
const wordsOf = (action: string, object_id: string | null, details: AuditEntry['details'] = {}) =>
  render(describeAuditEntry({ action, object_id, details }, names));

describe('describeAuditEntry', () => {
  it.each<[string, string, string | null, AuditEntry['details']]>([
    ['Invited 3 candidates to Backend &lt;engineer>', 'invite-users', 'i1', { candidate: 3, interviews: 1 }],
    ['Invited 1 candidate to an interview', 'invite-users', 'gone', { candidate: 1, interviews: 1 }],
    [
      'Invited 4 candidates to 2 interviews, 1 owner, 2 coaching users',
      'invite-users',
      null,
      { user: 2, candidate: 4, merchant_owner: 1, interviews: 2 },
    ],
    [
      'Invited <a href="/console/team">Ola Nord</a> as owner',
      'team-member-invite',
      'p1',
      { role: 'merchant_owner' },
    ],
    [
      'Set the stage Hired of <a href="/console/results/r1">a result</a>',
      'job-interview-result-update',
      'r1',
      { updated_fields: ['stage'], stage: 'Hired' },
    ],
    [
      'Created position <a href="/console/positions/i1">Backend &lt;engineer></a> with 1 step',
      'position-create',
      'i1',
      { steps: 1 },
    ],
    [
      'Changed the steps of <a href="/console/positions/i1">Backend &lt;engineer></a>: 2 steps added, 1 step removed',
      'position-update-steps',
      'i1',
      { steps: 3, added: 2, removed: 1 },
    ],
    [
      'Changed the steps of <a href="/console/positions/i1">Backend &lt;engineer></a>: another order',
      'position-update-steps',
      'i1',
      { steps: 3, added: 0, removed: 0 },
    ],
    ['Created report <a href="/console/reports/r1">Hiring month</a>', 'report-create', 'r1', {}],
    [
      'Saved a draft of report <a href="/console/reports/r1">Hiring month</a>',
      'report-update',
      'r1',
      { target: 'draft' },
    ],
    ['Archived a private report', 'report-archive', 'gone', {}],
    [
      'Archived knowledge base <a href="/console/knowledge/k1">Refunds</a>',
      'knowledge-base-update',
      'k1',
      { status: 'archived' },
    ],
    [
      'Unshared report <a href="/console/reports/r1">Hiring month</a>',
      'report-share',
      'r1',
      { shared: false },
    ],
    [
      'Registered 1 candidate for Backend &lt;engineer>, as a test',
      'job-interview-register-users',
      'i1',
      { people: 1, is_test: true },
    ],
    [
      'Created interview <a href="/console/interviews/i1">Backend &lt;engineer></a> with an embed key',
      'job-interview-create',
      'i1',
      { is_embedded: true },
    ],
    ['Began to create an interview, which was not finished', 'job-interview-create', 'gone', {}],
    [
      'Changed interview <a href="/console/interviews/i1">Backend &lt;engineer></a>',
      'job-interview-update',
      'i1',
      {},
    ],
    [
      'Set Backend &lt;engineer> to active. Revoked the embed key of Backend &lt;engineer>',
      'job-interview-set-state',
      'i1',
      { status: 'active', embed_key: 'revoked' },
    ],
    ['Created directory Academy', 'catalogue-tag-create', 'academy', {}],
    [
      'Changed platform-wide directory Academy',
      'catalogue-tag-update',
      'academy',
      { is_platform_wide: true },
    ],
    [
      'Paused webhook endpoint <a href="/console/endpoints/e1">ATS sync</a>',
      'webhook-endpoint-pause',
      'e1',
      {},
    ],
    [
      'Deleted webhook endpoint Old hook',
      'webhook-endpoint-delete',
      'e2',
      { description: 'Old hook', host: 'hooks.example.com' },
    ],
    [
      'Deleted webhook endpoint hooks.example.com',
      'webhook-endpoint-delete',
      'e2',
      { description: null, host: 'hooks.example.com' },
    ],
    ['Paused webhook endpoint hooks.example.org', 'webhook-endpoint-pause', 'e3', {}],
    [
      'Withdrew the invitation of <a href="/console/team">Ola Nord</a>',
      'team-member-withdraw',
      'p1',
      { what: 'invitation', role: 'merchant' },
    ],
    [
      'Ended the access of <a href="/console/team">Ola Nord</a>',
      'team-member-withdraw',
      'p1',
      { what: 'access', role: 'merchant' },
    ],
    ['an-act-of-later', 'an-act-of-later', null, {}],
  ])('prints “%s”', (words, act, subjectId, details) => {
    expect(wordsOf(act, subjectId, details)).toBe(words);
  });

  it.each<[string, string[], AuditEntry['details']]>([
    ['Changed the note on', ['user_feedback_recruiter'], {}],
    ['Changed the risks of', ['recruiter_risks'], {}],
    ['Advanced', ['recruiter_go_next_round'], { recruiter_go_next_round: true }],
    ['Rejected', ['recruiter_go_next_round'], { recruiter_go_next_round: false }],
    ['Cleared the decision on', ['recruiter_go_next_round'], { recruiter_go_next_round: null }],
    ['Shortlisted', ['recruiter_shortlist'], { recruiter_shortlist: true }],
    ['Cleared the shortlist mark of', ['recruiter_shortlist'], { recruiter_shortlist: false }],
    ['Changed the shortlist mark of', ['recruiter_shortlist'], {}],
    [
      'Rejected and changed the note on',
      ['recruiter_go_next_round', 'user_feedback_recruiter'],
      { recruiter_go_next_round: false },
    ],
  ])('prints “%s a result”', (words, updated_fields, details) => {
    const shown = wordsOf('job-interview-result-update', 'r1', { updated_fields, ...details });
    expect(shown).toBe(`${words} <a href="/console/results/r1">a result</a>`);
  });

  it('lists the ids of the subject and of the person in the details', () => {
    const entry = { action: 'any', object_id: 's1', details: { profile_id: 'p1', label: 'CI' } };
    expect(namedIds(entry)).toEqual(['s1', 'p1']);
  });

  it('has words and a kind of object for every change that the code records', () => {
    const api = join(__dirname, '../../../api');
    const sources = readdirSync(api, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const acts = sources.flatMap((file) => {
      const source = readFileSync(join(api, file), 'utf8');
      const calls = source.matchAll(/recordAuditEntry\(\s*'([a-z-]+)'/g);
      return Array.from(calls, ([, act = '']) => act);
    });
    expect(acts.length).toBeGreaterThan(30);
    expect(acts.filter((act) => wordsOf(act, 'x') === act || auditObjectOf(act) === null)).toEqual([]);
  });
});
