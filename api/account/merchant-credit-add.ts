import { z } from 'zod';
import { addCredits } from '../../db/account/credits';
import { findEnrolmentScopes } from '../../db/people/public';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { interviewIdAlias, optionalField, requiredText, uuid } from '../platform/operation/vocabulary';
import { withoutInvisible } from '../platform/text/visible-text';
import { creditBucket, merchantId, platformRoles } from './merchant-fields';

const maxAmount = 10_000;
/** A number of credits, which have two decimals. */
const amount = z
  .number()
  .min(-maxAmount)
  .max(maxAmount)
  .refine((credits) => credits !== 0 && Math.round(credits * 100) / 100 === credits, {
    error: 'must have at most two decimals and must not be 0',
    params: { code: 'invalid_value' },
  });

export const merchantCreditAdd = defineOperation({
  name: 'merchant-credit-add',
  method: 'POST',
  tag: 'Account',
  summary: "Add credits to a merchant's account, or take some away",
  description: `Makes an entry of the ledger, which \`merchant-credit-list\` shows to the merchant with your reason. A negative amount takes credits away; no balance can
fall below 0. Credits of the buckets \`monthly\` and \`coaching\` expire when the period ends, and at once when \`merchant-update\` begins a subscription. Send an \`Idempotency-Key\`, so that a repeated call does not add the credits twice.

Credits of the bucket \`single\` pay only for attempts at one interview or position: name it as \`position_id\`. A negative amount takes away only what is
left for that one.

Credits that are added pay attempts that wait for credits, oldest first and each completely. An attempt that they do not suffice for keeps waiting, and so
do newer ones, even if they cost less.`,
  roles: platformRoles,
  serviceKeys: 'platform',
  needsMerchant: true,
  aliases: interviewIdAlias,
  input: z
    .object({
      merchant_id: merchantId,
      bucket: creditBucket,
      amount: amount.meta({
        description: 'Credits to add, from -10,000 to 10,000 with at most two decimals, not 0.',
      }),
      reason: requiredText(500)
        .min(3)
        .refine((reason) => withoutInvisible(reason).trim().length >= 3, {
          error: 'must have at least 3 visible characters',
          params: { code: 'too_short' },
        })
        .meta({ description: 'Why, for the ledger of the merchant: 3 to 500 characters.' }),
      position_id: optionalField(uuid).meta({
        description:
          'The interview or position that single credits are for. Required for the bucket `single`, and not allowed for others.',
      }),
    })
    .superRefine(({ bucket, position_id }, context) => {
      if ((bucket === 'single') === (position_id !== undefined)) return;
      const isMissing = bucket === 'single';
      context.addIssue({
        code: 'custom',
        path: ['position_id'],
        message: isMissing ? 'is required for single credits' : 'is only for the bucket single',
        params: { code: isMissing ? 'required' : 'conflicting_fields' },
      });
    }),
  example: {
    merchant_id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
    bucket: 'extra',
    amount: 25,
    reason: 'Invoice 2026-014',
  },
  reply: z.object({
    id: z.string().meta({ description: 'Id of the entry, as in `merchant-credit-list`.' }),
    bucket: creditBucket,
    balance: z.number().meta({
      description:
        'Balance of the bucket, with two decimals, after the entry and the attempts that it has paid.',
    }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1', bucket: 'extra', balance: 35 },
  statuses: [],
  /** Makes the entry while the account is locked, so that simultaneous calls cannot lose credits. */
  handle({ input: { bucket, amount: credits, reason, position_id = null }, write }) {
    return write(async (trx) => {
      // Credits can also be taken away from an interview that was deleted.
      if (
        credits > 0 &&
        position_id !== null &&
        (await trx.rows(findEnrolmentScopes([position_id]))).length === 0
      )
        throw new ApiError(
          'unknown_id',
          'position_id must name an interview or position of the merchant.',
          'position_id',
        );
      const made = await trx.maybeOne(
        addCredits({ bucket, amount: credits, reason, positionId: position_id }),
      );
      if (!made)
        throw new ApiError(
          'too_small',
          'amount must not take away more credits than there are. Read merchant-list for the balances.',
          'amount',
        );
      await trx.count(
        recordAuditEntry('merchant-credit-add', made.id, { bucket, amount: credits, reason, position_id }),
      );
      return { id: made.id, bucket, balance: made.balance };
    });
  },
});
