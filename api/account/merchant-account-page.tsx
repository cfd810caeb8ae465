import type { VNode } from 'preact';
import { creditBuckets } from '../../db/account/credits';
import type { CreditBucket } from '../../db/account/credits';
import { subscriptionStatuses } from '../../db/account/merchants';
import type { SubscriptionStatus } from '../../db/account/merchants';
import type { ApiError } from '../platform/operation/api-error';
import { Submit } from '../platform/site/buttons';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Link, Panel } from '../platform/site/elements';
import { SelectField, Form, NumberField, TextField } from '../platform/site/form';
import { FormId, formKey } from '../platform/site/form-id';
import type { Page } from '../platform/site/layout';
import { numberOf } from '../platform/site/parse-form';
import { sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { merchantCreditAdd } from './merchant-credit-add';
import { platformRoles, subscriptionNames } from './merchant-fields';
import { merchantList } from './merchant-list';
import { merchantUpdate } from './merchant-update';
import { bucketNames, usagePath } from './usage-page';

export const accountPath = '/merchants/account';
const updatePath = `${accountPath}/update`;
const creditsPath = `${accountPath}/credits`;
const accountFields = [
  'name',
  'subscription_type',
  'subscription_status',
  'credits_interview_monthly_limit',
  'credits_coaching_monthly_limit',
] as const;
const creditFields = ['bucket', 'amount', 'reason', 'position_id'] as const;
/** The value of the form for an account without a subscription. */
const noSubscription = 'none';
type Values = Readonly<Record<string, string>>;
/** A form that was rejected, which the page shows again with the error. */
type Refused = { path: string; values: Values; error: ApiError };

/** Adds the page on which platform admins change the plan of the chosen merchant and add credits. */
export function addMerchantAccountPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, refused?: Refused): Promise<Page> => {
    const { id } = visit.merchant;
    // A name of another merchant can contain the id.
    const { data } = replyOf(
      await callOperation(deps, visit, merchantList, { filter_text: id, limit: '1000' }),
    );
    const merchant = data.find((listed) => listed.id === id);
    const stored = Object.fromEntries(
      Object.entries(merchant ?? {}).map(([name, value]) => [name, String(value ?? noSubscription)]),
    );
    const shownAt = (path: string, values: Values) =>
      refused?.path === path
        ? { values: refused.values, error: refused.error }
        : { values, error: undefined };
    return {
      title: 'Plan and credits',
      status: refused?.error.status,
      content: (
        <>
          <Panel title="Plan">
            <AccountForm {...shownAt(updatePath, stored)} />
          </Panel>
          <Panel title="Add credits">
            <CreditForm {...shownAt(creditsPath, {})} />
            <p>
              <Link to={usagePath}>Credits and ledger</Link>
            </p>
          </Panel>
        </>
      ),
    };
  };

  site.page('console-merchant-account', accountPath, (visit) => render(visit));

  site.post(
    'console-merchant-update',
    updatePath,
    async (visit, sent) => {
      const values = valuesOf(sent, accountFields);
      const { subscription_status: status } = values;
      const { error } = await callOperation(deps, visit, merchantUpdate, {
        merchant_id: visit.merchant.id,
        name: values['name'],
        subscription_type: values['subscription_type'],
        subscription_status: status === noSubscription ? null : (status as SubscriptionStatus),
        credits_interview_monthly_limit: numberOf(values['credits_interview_monthly_limit']),
        credits_coaching_monthly_limit: numberOf(values['credits_coaching_monthly_limit']),
      });
      return error
        ? render(visit, { path: updatePath, values, error })
        : { goTo: accountPath, flash: 'Plan saved.' };
    },
    { roles: platformRoles },
  );

  site.post(
    'console-merchant-credits',
    creditsPath,
    async (visit, sent) => {
      const values = valuesOf(sent, creditFields);
      const { reply, error } = await callOperation(
        deps,
        visit,
        merchantCreditAdd,
        {
          merchant_id: visit.merchant.id,
          bucket: values['bucket'] as CreditBucket,
          amount: numberOf(values['amount']),
          reason: values['reason'] ?? '',
          position_id: values['position_id'] || undefined,
        },
        { key: formKey(sent) },
      );
      return error
        ? render(visit, { path: creditsPath, values, error })
        : { goTo: accountPath, flash: `Credits added. The balance is ${reply.balance}.` };
    },
    { roles: platformRoles },
  );
}

const valuesOf = (sent: RequestData, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, sentText(sent, name)]));

const AccountForm = ({ values, error }: { values: Values; error: ApiError | undefined }): VNode => {
  const named = (name: (typeof accountFields)[number]) => ({ name, value: values[name] ?? '' });
  const statuses = subscriptionStatuses.map((value) => ({ value, label: subscriptionNames[value] ?? value }));
  return (
    <Form path={updatePath} names={accountFields} error={error}>
      <TextField {...named('name')} label="Company name" maxlength={200} required />
      <TextField
        {...named('subscription_type')}
        label="Plan"
        maxlength={50}
        required
        hint="Special is unlimited and charges nothing."
      />
      <SelectField
        {...named('subscription_status')}
        label="Subscription"
        options={[{ value: noSubscription, label: 'None' }, ...statuses]}
        hint="A subscription that begins starts a month with the credits below."
      />
      <NumberField
        {...named('credits_interview_monthly_limit')}
        label="Interview credits each month"
        min={0}
        max={1_000_000}
        hint="A new limit counts from the next month."
      />
      <NumberField
        {...named('credits_coaching_monthly_limit')}
        label="Coaching credits each month"
        min={0}
        max={1_000_000}
      />
      <Submit>Save changes</Submit>
    </Form>
  );
};

const CreditForm = ({ values, error }: { values: Values; error: ApiError | undefined }): VNode => {
  const named = (name: (typeof creditFields)[number]) => ({ name, value: values[name] ?? '' });
  return (
    <Form path={creditsPath} names={creditFields} error={error}>
      <FormId />
      <SelectField
        {...named('bucket')}
        label="Bucket"
        options={creditBuckets.map((bucket) => ({ value: bucket, label: bucketNames[bucket] }))}
      />
      <TextField
        {...named('amount')}
        label="Credits"
        maxlength={10}
        required
        hint="At most two decimals. A negative number takes credits away."
      />
      <TextField
        {...named('reason')}
        label="Reason"
        maxlength={500}
        required
        hint="The merchant sees it in the ledger."
      />
      <TextField
        {...named('position_id')}
        label="Interview or position ID"
        maxlength={36}
        hint="Only for single-position credits: what they are for."
      />
      <Submit isPlain>Add credits</Submit>
    </Form>
  );
};
