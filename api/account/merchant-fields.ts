import { creditBuckets } from '../../db/account/credits';
import { subscriptionStatuses } from '../../db/account/merchants';
import type { Role } from '../../db/platform/vocabulary';
import { ApiError } from '../platform/operation/api-error';
import { namedEnum } from '../platform/operation/named-enums';
import { requiredName, uuid } from '../platform/operation/vocabulary';
import { boundedText } from '../platform/text/bounded-text';

/** The role that may create merchants and change their accounts, apart from keys of the platform. */
export const platformRoles: readonly Role[] = ['admin'];
/** The roles that may see what a merchant pays and who did what. */
export const accountReaders: readonly Role[] = ['merchant_owner', 'admin'];

export const creditBucket = namedEnum(
  'CreditBucket',
  creditBuckets,
  'A balance of the account. The types coaching and persona are paid with `coaching` credits, other attempts with `single` credits of their interview or position, then with `monthly`, then with `extra` ones.',
  {
    monthly: "Interview credits of the plan's monthly allowance; the rest expires at the end of the period.",
    extra: 'Interview credits that do not expire.',
    single: 'Credits that pay only for attempts at one interview or position.',
    coaching:
      "Credits for the types coaching and persona of the plan's monthly allowance; the rest expires at the end of the period.",
  },
);

export const subscriptionStatus = namedEnum(
  'SubscriptionStatus',
  subscriptionStatuses,
  'The state of a subscription.',
  {
    trialing: 'Not paid yet; the plan counts as paid.',
    active: 'Paid.',
    past_due: 'A payment is missing: the next period grants no credits.',
    canceled: 'Ended: the next period grants no credits.',
  },
);

/** The words of the pages for the state of a subscription. */
export const subscriptionNames: Readonly<Record<string, string>> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Canceled',
};

export const planDescription =
  'Name of the plan, such as Free, Starter or Growth. Any name is allowed. The plan `Special` is unlimited and charges nothing; a name that differs from it only in case or blanks is a 422.';
/** The name of a plan. Only `Special` has a meaning, so a slip in it would charge a merchant that pays nothing. */
export const planName = requiredName(50)
  .refine((name) => name === 'Special' || name.replaceAll(/\s/g, '').toLowerCase() !== 'special', {
    error: 'must be written `Special` for the unlimited plan',
    params: { code: 'invalid_value' },
  })
  .meta({ description: planDescription });

/** The id of the merchant that the call changes. The first statement of the transaction checks it. */
export const merchantId = uuid.meta({ description: 'Id of the merchant, as `merchant-list` returns it.' });

/** The time zones that a merchant can have. */
export const timeZones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
export const timeZone = boundedText(100)
  .refine((zone) => timeZones.has(zone), {
    error: 'must be an IANA time zone like Europe/Amsterdam',
    params: { code: 'invalid_value' },
  })
  .meta({ description: 'IANA time zone of the merchant, such as Europe/Amsterdam.' });

/** Converts the database's error about a time zone that Node offers but Postgres does not know to a 422. */
export function toUnknownTimeZoneError(failure: unknown): unknown {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  return code === '22023'
    ? new ApiError('invalid_value', 'time_zone is not supported. Choose another one.', 'time_zone')
    : failure;
}
