import { z } from 'zod';
import { findCreditEntries, listCreditEntries } from '../../db/account/credits';
import type { ListedCreditEntry } from '../../db/account/credits';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { timestamp, uuid } from '../platform/operation/vocabulary';
import { accountReaders, creditBucket } from './merchant-fields';

const creditEntry = z
  .object({
    id: z.string().meta({ description: 'Id of the entry.' }),
    bucket: creditBucket,
    amount: z.number().meta({
      description: 'Credits that were added, or taken away if negative, with two decimals.',
    }),
    balance_after: z
      .number()
      .meta({ description: 'Balance of the bucket after the entry, with two decimals.' }),
    reason: z.string().meta({
      description:
        'Why the balance changed: `renewal` and `expiry` at the begin of a period, `charge` of an attempt, `refund` of one, or the text of `merchant-credit-add` (`grant` for credits that were added before it existed).',
    }),
    interview_result_id: z.string().nullable().meta({
      description:
        "The result whose attempt was charged or refunded. Null for other entries, and if the result belongs to another environment than the credential's.",
    }),
    attempt: z.int().nullable().meta({
      description: 'The attempt of the result that was charged or refunded, counted from 1.',
    }),
    position_id: z
      .string()
      .nullable()
      .meta({ description: 'The interview or position that single credits are for.' }),
    actor: z.enum(['system', 'platform_admin', 'platform_key']).meta({
      description: 'Who made the entry: the platform by itself, its staff, or a service key of the platform.',
    }),
    created_at: timestamp.meta({ description: 'When the balance changed.' }),
  })
  .meta({ id: 'CreditEntry', description: 'A change of a balance.' });
export type CreditEntry = z.output<typeof creditEntry>;

export const merchantCreditList = defineOperation({
  name: 'merchant-credit-list',
  method: 'GET',
  tag: 'Account',
  summary: 'List the changes of the credits of the account',
  description: `Lists the ledger of the account, newest first. The amounts of a bucket add up to its balance. Credits belong to the account, in all environments.`,
  roles: accountReaders,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    bucket: creditBucket.optional().meta({ description: 'Only entries of this bucket.' }),
    interview_result_id: uuid.optional().meta({
      description: 'Only charges and refunds of this result, which are what its attempts cost.',
    }),
    ...paging,
  }),
  example: { bucket: 'monthly' },
  reply: pageOf(creditEntry),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1',
        bucket: 'monthly',
        amount: -2.5,
        balance_after: 42.5,
        reason: 'charge',
        interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
        attempt: 1,
        position_id: null,
        actor: 'system',
        created_at: '2026-01-16T10:12:04.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const { limit, offset, bucket, interview_result_id } = input;
    const { place, reply } = openListPage(seal, 'merchant-credit-list', input);
    const rows = await database.query(
      caller,
      listCreditEntries({ bucket, interview_result_id, place }, limit, offset),
    );
    const { total = 0, is_known } = rows[0] ?? {};
    if (!is_known)
      throw new ApiError(
        'unknown_id',
        'interview_result_id must name a result of the merchant.',
        'interview_result_id',
      );
    const data = rows.flatMap(({ id, ...row }) => (id === null ? [] : [toEntry({ ...row, id })]));
    return reply(data, total);
  },
});

/** The ledger as `GET /sync` returns it. */
export const mirroredCredits = defineMirrored({
  body: creditEntry,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(findCreditEntries(ids));
    return new Map(rows.map((row) => [row.id, toEntry(row)]));
  },
});

const toEntry = ({ reason, actor, kind, ...row }: ListedCreditEntry & { id: string }) => ({
  ...row,
  reason: reason ?? kind,
  actor: actor ?? ('system' as const),
});
