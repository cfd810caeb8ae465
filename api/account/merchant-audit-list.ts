import { z } from 'zod';
import { findAuditEntries, listAuditEntries } from '../../db/platform/audit';
import type { AuditEntry as StoredEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { namedEnum } from '../platform/operation/named-enums';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { text, timestamp, uuid } from '../platform/operation/vocabulary';
import { dateTime } from '../platform/text/date-time';
import { auditObjects, auditObjectOf } from './audit-objects';
import type { AuditObject } from './audit-objects';
import { accountReaders } from './merchant-fields';

const auditObject = namedEnum(
  'AuditObject',
  Object.keys(auditObjects) as AuditObject[],
  'The kind of object that an action is about.',
  auditObjects,
);

const auditEntry = z
  .object({
    id: z.string().meta({ description: 'Id of the entry.' }),
    actor_profile_id: z.string().nullable().meta({
      description: 'Id of the person who acted; null for a service key.',
    }),
    actor_name: z.string().nullable().meta({
      description: 'Name of the person or service key; null for staff and keys of the platform.',
    }),
    actor_role: z.string().meta({
      description: 'Role with which the person acted; `service` for a service key.',
    }),
    agent_name: z.string().nullable().meta({
      description: 'Name of the agent through which the person or key acted. Null if none was used.',
    }),
    action: z.string().meta({
      description:
        'What was done: the name of the operation, or of the action in the console, such as `portal-domain-verify`. Actions can be added.',
      examples: ['webhook-endpoint-create'],
    }),
    object: auditObject.nullable().meta({
      description:
        'The kind of object that the action is about. Null if this release does not know the action.',
    }),
    object_id: z.string().nullable().meta({
      description:
        'Id of the object; null if the action is about several, such as invitations to two interviews.',
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'What changed, without secrets and without names and addresses of candidates. The fields depend on the action.',
    }),
    created_at: timestamp.meta({ description: 'When it was done.' }),
  })
  .meta({ id: 'AuditEntry', description: 'An action of a person or service key.' });
export type AuditEntry = z.output<typeof auditEntry>;

export const merchantAuditList = defineOperation({
  name: 'merchant-audit-list',
  method: 'GET',
  tag: 'Account',
  summary: 'List who did what in the account',
  description: `Lists what people and service keys changed in the credential's environment, newest first: interviews, candidates and decisions, team, keys, settings, webhooks and credits. Changes of what all environments share (settings, credits, plan, team, catalogue, knowledge bases and reports) are listed in each of them. Reads are not listed.`,
  roles: accountReaders,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    actor: uuid.optional().meta({
      description: 'Only actions of this person or service key.',
    }),
    action: text(100)
      .optional()
      .meta({ description: 'Only this action, such as `webhook-endpoint-create`.' }),
    object_id: text(200).optional().meta({ description: 'Only actions about the object with this id.' }),
    since: dateTime.optional().meta({ description: 'Only actions at or after this time.' }),
    until: dateTime.optional().meta({ description: 'Only actions before this time.' }),
    ...paging,
  }),
  example: { action: 'webhook-endpoint-create', since: '2026-01-15T00:00:00Z' },
  reply: pageOf(auditEntry),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618f2',
        actor_profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
        actor_name: 'Ann Lee',
        actor_role: 'merchant_owner',
        agent_name: null,
        action: 'webhook-endpoint-create',
        object: 'webhook_endpoint',
        object_id: '01a1fcf7-b13e-74de-bd85-c2fc187618c1',
        details: { host: 'hooks.example.com' },
        created_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const {
      actor = null,
      action = null,
      object_id = null,
      since = null,
      until = null,
      limit,
      offset,
    } = input;
    const { place, reply } = openListPage(seal, 'merchant-audit-list', input);
    const filter = { place, actor, act: action, subjectId: object_id, since, until };
    const rows = await database.query(caller, listAuditEntries(filter, limit, offset));
    const { total = 0, is_known } = rows[0] ?? {};
    if (!is_known)
      throw new ApiError('unknown_id', 'actor must name a person or service key of the merchant.', 'actor');
    const data = rows.flatMap(({ id, ...row }) =>
      id === null ? [] : [{ ...toEntry({ ...row, id }), place: row.place }],
    );
    return reply(data, total);
  },
});

/** The audit log as `GET /sync` returns it. */
export const mirroredAudit = defineMirrored({
  body: auditEntry,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(findAuditEntries(ids));
    return new Map(rows.map((row) => [row.id, toEntry(row)]));
  },
});

const toEntry = (row: StoredEntry & { actor_id: string }) => ({
  id: row.id,
  actor_profile_id: row.actor_role === 'service' ? null : row.actor_id,
  actor_name: row.actor_name,
  actor_role: row.actor_role,
  agent_name: row.agent,
  action: row.act,
  object: auditObjectOf(row.act),
  object_id: row.subject_id,
  details: row.details,
  created_at: row.created_at,
});
