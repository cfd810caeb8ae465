import { z } from 'zod';
import { actForMerchant, createMerchant } from '../../db/account/merchants';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { emailAddress, inviteRows } from '../people/public';
import type { Invited } from '../people/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, requiredName, uuid } from '../platform/operation/vocabulary';
import { planName, platformRoles, timeZone, toUnknownTimeZoneError } from './merchant-fields';

export const merchantCreate = defineOperation({
  name: 'merchant-create',
  method: 'POST',
  tag: 'Account',
  summary: 'Create a merchant and invite its owner',
  description: `Creates the account of a merchant and invites its first owner by email, in one step: if the owner cannot be invited, nothing is created.
\`result\` is that of a row of \`invite-users\`: \`Invited\` for a person who is new or has accepted no invitation yet, \`SubMerchantAdded\` for a person with an account at
another merchant. The account begins without credits: set its plan with \`merchant-update\`, or add credits with \`merchant-credit-add\`.

A sub-merchant can be reached with service keys of its parent. A sub-merchant cannot have sub-merchants of its own.

Outside production, mails go only to test recipients, which a new merchant does not have: use a credential of production. Accounts are the same in all environments.`,
  roles: platformRoles,
  serviceKeys: 'platform',
  needsMerchant: false,
  input: z.object({
    name: requiredName(200).meta({ description: 'Name of the company, as candidates see it.' }),
    owner_email: emailAddress.meta({ description: 'Email address of the first owner.' }),
    subscription_type: planName,
    parent_merchant_id: optionalField(uuid).meta({
      description: 'The merchant that the new one is a sub-merchant of.',
    }),
    time_zone: optionalField(timeZone).meta({
      description: 'IANA time zone of the merchant, such as Europe/Amsterdam. If omitted, UTC.',
    }),
  }),
  example: {
    name: 'Example Bakery',
    owner_email: 'owner@bakery.example.com',
    subscription_type: 'Growth',
    time_zone: 'Europe/Amsterdam',
  },
  reply: z.object({
    merchant_id: z.string().meta({ description: 'Id of the merchant.' }),
    owner_profile_id: z.string().meta({ description: 'Id of the person who was invited as owner.' }),
    result: z.string().meta({ description: 'The outcome of the invitation.', examples: ['Invited'] }),
  }),
  replyExample: {
    merchant_id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
    owner_profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
    result: 'Invited',
  },
  statuses: [],
  /** Stores the merchant, its credit account and the owner's invitation in one transaction. */
  handle({ input, write }, { accountInvitationsPerDay: perDay }) {
    return write(async (trx) => {
      const { merchant_id: callersMerchant } = await trx.scope();
      const { id } = await trx
        .one(
          createMerchant({
            name: input.name,
            parentId: input.parent_merchant_id ?? null,
            plan: input.subscription_type,
            timeZone: input.time_zone ?? 'UTC',
          }),
        )
        .catch((failure: unknown) => {
          throw toUnknownTimeZoneError(failure);
        });
      if (id === null)
        throw new ApiError(
          'unknown_id',
          'parent_merchant_id must name a merchant that is not a sub-merchant itself.',
          'parent_merchant_id',
        );
      await trx.count(
        recordAuditEntry('merchant-create', id, {
          subscription_type: input.subscription_type,
          parent_merchant_id: input.parent_merchant_id,
        }),
      );
      const { profile_id: owner_profile_id, result } = await inviteOwner(trx, input.owner_email, perDay);
      // The reply is stored with the key of the call, which belongs to the caller's merchant.
      await trx.rows(actForMerchant(callersMerchant));
      return { merchant_id: id, owner_profile_id, result };
    });
  },
});

/** Invites the first owner of the merchant that the transaction belongs to. */
async function inviteOwner(trx: Transaction, email: string, perDay: number) {
  const outcomes = new Map<number, Invited>();
  await inviteRows(
    trx,
    { force_invite: true, platform_language_code: 'en' },
    [{ email, name: null, type: 'merchant_owner', interview_id: null, external_id: null, phone: null }],
    outcomes,
    { isOwner: true, perDay },
  );
  const outcome = outcomes.get(0);
  if (!outcome || outcome.profile_id === null)
    throw new ApiError(
      'invalid_value',
      (outcome?.result ?? 'This person cannot be invited.').replace(/^Error: /, ''),
      'owner_email',
    );
  return { profile_id: outcome.profile_id, result: outcome.result };
}
