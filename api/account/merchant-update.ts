import { z } from 'zod';
import { changeAccount } from '../../db/account/merchants';
import type { AccountColumn } from '../../db/account/merchants';
import { recordAuditEntry } from '../../db/platform/audit';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { requiredName } from '../platform/operation/vocabulary';
import { merchantId, planDescription, planName, platformRoles, subscriptionStatus } from './merchant-fields';

const limit = z.int().min(0).max(1_000_000).optional();
/** The fields that a call can change, with their columns. */
const columnOf = {
  name: 'name',
  subscription_type: 'plan',
  subscription_status: 'subscription_status',
  credits_interview_monthly_limit: 'monthly_limit',
  credits_coaching_monthly_limit: 'coaching_limit',
} as const satisfies Record<string, AccountColumn>;
const fields = Object.keys(columnOf) as (keyof typeof columnOf)[];

export const merchantUpdate = defineOperation({
  name: 'merchant-update',
  method: 'POST',
  tag: 'Account',
  summary: "Change a merchant's name, plan, subscription or monthly limits",
  description: `Changes the fields that are sent. A new limit counts from the next period of the account; add credits for the current one with \`merchant-credit-add\`.

A subscription begins when \`subscription_status\` was null and is set: the rest of the monthly and coaching credits expires, and a period of a month begins at once, with the monthly credits of the limits, also those sent in the same call, if the status is trialing or active.
It ends when the status is set to null: after the current period, periods are calendar months in UTC. Without a subscription, a period begins with the credits of the limits too.`,
  roles: platformRoles,
  serviceKeys: 'platform',
  needsMerchant: true,
  input: z
    .object({
      merchant_id: merchantId,
      name: requiredName(200).optional().meta({ description: 'Name of the company, as candidates see it.' }),
      subscription_type: planName.optional().meta({ description: planDescription }),
      subscription_status: subscriptionStatus.nullable().optional().meta({
        description: 'State of the subscription; null without one.',
      }),
      credits_interview_monthly_limit: limit.meta({
        description: 'Interview credits that each period begins with.',
      }),
      credits_coaching_monthly_limit: limit.meta({
        description: 'Coaching credits that each period begins with.',
      }),
    })
    .superRefine(requireOneOf(fields)),
  example: {
    merchant_id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
    subscription_status: 'active',
    credits_interview_monthly_limit: 50,
  },
  reply: z.object({
    merchant_id: z.string().meta({ description: 'Id of the merchant.' }),
    updated_fields: z
      .array(z.enum(fields))
      .meta({ description: 'The fields whose value has changed; empty if none has.' }),
  }),
  replyExample: {
    merchant_id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
    updated_fields: ['subscription_status', 'credits_interview_monthly_limit'],
  },
  statuses: [],
  /** Changes the account of the merchant that the scope statement has checked. */
  handle({ input, write }) {
    return write(async (trx) => {
      const { merchant_id } = await trx.merchantScope();
      const { changed } = await trx.one(
        changeAccount({
          name: input.name,
          plan: input.subscription_type,
          subscriptionStatus: input.subscription_status,
          monthlyLimit: input.credits_interview_monthly_limit,
          coachingLimit: input.credits_coaching_monthly_limit,
        }),
      );
      const updated_fields = fields.filter((field) => changed.includes(columnOf[field]));
      if (updated_fields.length > 0)
        await trx.count(
          recordAuditEntry(
            'merchant-update',
            merchant_id,
            Object.fromEntries(updated_fields.map((field) => [field, input[field]])),
          ),
        );
      return { merchant_id, updated_fields };
    });
  },
});
