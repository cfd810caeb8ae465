import { z } from 'zod';
import { listMerchants } from '../../db/account/merchants';
import { defineOperation } from '../platform/operation/define-operation';
import { openListPage, pageOf, paging, readPage } from '../platform/operation/page-cursor';
import { text, timestamp } from '../platform/operation/vocabulary';
import { platformRoles, subscriptionStatus } from './merchant-fields';

const credits = (description: string) => z.number().meta({ description });

const merchant = z
  .object({
    id: z.string().meta({ description: 'Id of the merchant: `merchant_id` in other operations.' }),
    name: z.string().meta({ description: 'Name of the company.' }),
    parent_merchant_id: z
      .string()
      .nullable()
      .meta({ description: 'The merchant that this one is a sub-merchant of, null for all others.' }),
    subscription_type: z.string().meta({ description: 'Name of the plan.' }),
    subscription_status: subscriptionStatus.nullable().meta({
      description: 'State of the subscription; null without one.',
    }),
    credits_interview_monthly_limit: credits('Interview credits that each period begins with.'),
    credits_coaching_monthly_limit: credits('Coaching credits that each period begins with.'),
    credits_interview_monthly: credits('Remaining monthly credits, with two decimals.'),
    credits_interview_extra: credits('Remaining extra credits, with two decimals.'),
    credits_interview_single: credits('Remaining single-position credits, with two decimals.'),
    credits_coaching_monthly: credits('Remaining coaching credits, with two decimals.'),
    created_at: timestamp.meta({ description: 'When the merchant was created.' }),
  })
  .meta({ id: 'Merchant' });
export type Merchant = z.output<typeof merchant>;

export const merchantList = defineOperation({
  name: 'merchant-list',
  method: 'GET',
  tag: 'Account',
  summary: 'List the merchants of the platform',
  description: 'Lists all merchants by name, with their plans and balances.',
  roles: platformRoles,
  serviceKeys: 'platform',
  needsMerchant: false,
  input: z.object({
    filter_text: text(200).optional().meta({
      description: 'Only merchants whose name contains this text, in any case, or whose id it is.',
    }),
    subscription_type: text(50).optional().meta({ description: 'Only merchants with this plan.' }),
    ...paging,
  }),
  example: { filter_text: 'bakery' },
  reply: pageOf(merchant),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
        name: 'Example Bakery',
        parent_merchant_id: null,
        subscription_type: 'Growth',
        subscription_status: 'active',
        credits_interview_monthly_limit: 50,
        credits_coaching_monthly_limit: 0,
        credits_interview_monthly: 42.5,
        credits_interview_extra: 10,
        credits_interview_single: 0,
        credits_coaching_monthly: 0,
        created_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const { filter_text = '', subscription_type = null } = input;
    const { place, reply } = openListPage(seal, 'merchant-list', input);
    const { rows, total } = await database.read(caller, (trx) =>
      readPage(
        (limit, offset) => trx.rows(listMerchants(filter_text, subscription_type, limit, offset, place)),
        input,
      ),
    );
    return reply(rows, total);
  },
});
