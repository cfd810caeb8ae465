import type { VNode } from 'preact';
import { listReachableMerchants } from '../../db/platform/console-sessions';
import type { ApiError } from '../platform/operation/api-error';
import { HiddenFields, Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Pager, Panel, Soft, Table, Time } from '../platform/site/elements';
import { Form, SearchForm, TextField } from '../platform/site/form';
import { FormId, formKey } from '../platform/site/form-id';
import { homePath, roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { addressAtMerchant, safeReturn } from '../platform/site/return-address';
import { sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import { consoleHref } from '../platform/site/visit';
import { consoleReaders } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisitor } from '../platform/site/visitor';
import { accountPath } from './merchant-account-page';
import { merchantCreate } from './merchant-create';
import { platformRoles, subscriptionNames } from './merchant-fields';
import { merchantList } from './merchant-list';
import type { Merchant } from './merchant-list';

const path = '/merchants';
const limitRows = 100;
const createFields = ['name', 'owner_email', 'subscription_type', 'time_zone', 'parent_merchant_id'] as const;
/** A form that was rejected, which the page shows again with the error. */
type Refused = { values: Record<string, string>; error: ApiError };

/**
 * Adds the page on which platform admins and operators choose the merchant to work in. Platform admins can also create
 * merchants there.
 */
export function addMerchantsPage(site: Site, deps: ConsoleDeps): void {
  const renderAll = async (
    visitor: ConsoleVisitor,
    query: RequestData['query'],
    refused?: Refused,
  ): Promise<Page> => {
    const { reply, error } = await callOperation(deps, visitor, merchantList, {
      filter_text: query['filter_text'],
      limit: String(limitRows),
      offset: query['offset'] ?? '0',
    });
    return {
      title: 'Merchants',
      status: (refused?.error ?? error)?.status,
      content: (
        <>
          <Panel>
            <Search query={query} error={error} />
            {reply && (
              <>
                <MerchantTable
                  merchants={reply.data}
                  next={nextOf(query)}
                  isFiltered={(query['filter_text'] ?? '') !== ''}
                />
                <Pager path={path} {...reply.pagination} query={query} />
              </>
            )}
          </Panel>
          <Panel title="New merchant">
            <CreateForm values={refused?.values ?? {}} error={refused?.error} />
          </Panel>
        </>
      ),
    };
  };

  const renderReachable = async (visitor: ConsoleVisitor, query: RequestData['query']): Promise<Page> => {
    const filter = query['filter_text'] ?? '';
    const merchants = await deps.database.query(
      visitor.caller(consoleReaders, false),
      listReachableMerchants(filter, limitRows),
    );
    return {
      title: 'Choose a merchant',
      content: (
        <Panel>
          <Search query={query} />
          <Table
            caption="Merchants"
            columns={['Merchant', 'Your role']}
            rows={merchants.map(({ id, name, role }) => [
              <a href={addressAtMerchant(nextOf(query), id)}>{name}</a>,
              roleNames[role] ?? role,
            ])}
            empty={
              filter === '' ? 'You have no access to any merchant yet.' : 'No merchants match this name.'
            }
          />
          {merchants.length === limitRows && (
            <p class="soft">Only the first {limitRows} are shown. Search by name to find others.</p>
          )}
        </Panel>
      ),
    };
  };

  site.visitorPage('console-merchants', path, (visitor, { query }) =>
    visitor.session.role === 'admin' ? renderAll(visitor, query) : renderReachable(visitor, query),
  );

  site.visitorPost(
    'console-merchant-create',
    `${path}/create`,
    async (visitor, sent) => {
      const values = Object.fromEntries(createFields.map((name) => [name, sentText(sent, name)]));
      const { name = '', owner_email = '', subscription_type = '' } = values;
      const { reply, error } = await callOperation(
        deps,
        visitor,
        merchantCreate,
        {
          name,
          owner_email,
          subscription_type,
          time_zone: values['time_zone'] || undefined,
          parent_merchant_id: values['parent_merchant_id'] || undefined,
        },
        { key: formKey(sent) },
      );
      if (error) return renderAll(visitor, {}, { values, error });
      return {
        goTo: accountPath,
        query: { merchant_id: reply.merchant_id },
        flash: 'Merchant created. The owner gets an invitation by email.',
      };
    },
    { roles: platformRoles },
  );
}

const returnTo = (query: RequestData['query']) => safeReturn(query['return_to']);
const nextOf = (query: RequestData['query']): string => returnTo(query) ?? consoleHref(homePath);

function Search({ query, error }: { query: RequestData['query']; error?: ApiError | undefined }): VNode {
  const kept = returnTo(query);
  return (
    <SearchForm path={path} names={['filter_text']} error={error}>
      {kept !== undefined && <HiddenFields fields={{ return_to: kept }} />}
      <TextField name="filter_text" label="Name" value={query['filter_text'] ?? ''} maxlength={200} />
      <Submit isPlain>Search</Submit>
    </SearchForm>
  );
}

const MerchantTable = (props: {
  merchants: readonly Merchant[];
  next: string;
  isFiltered: boolean;
}): VNode => (
  <Table
    caption="Merchants"
    columns={['Merchant', 'Plan', 'Interview credits', 'Coaching credits', 'Created', '']}
    rows={props.merchants.map((merchant) => [
      <a href={addressAtMerchant(props.next, merchant.id)}>{merchant.name}</a>,
      <>
        {merchant.subscription_type}{' '}
        <Soft>{merchant.subscription_status && subscriptionNames[merchant.subscription_status]}</Soft>
      </>,
      sumOf(
        merchant.credits_interview_monthly,
        merchant.credits_interview_extra,
        merchant.credits_interview_single,
      ),
      merchant.credits_coaching_monthly,
      <Time at={merchant.created_at} />,
      <a
        href={consoleHref(accountPath, { merchant_id: merchant.id })}
        aria-label={`Plan and credits: ${merchant.name}`}
      >
        Plan and credits
      </a>,
    ])}
    empty={
      props.isFiltered ? 'No merchants match this name.' : 'No merchants yet. Create the first one below.'
    }
  />
);

/** Adds numbers with two decimals. As floating-point numbers, 0.1 and 0.2 would not add up to 0.3. */
const sumOf = (...credits: number[]): number =>
  credits.reduce((sum, each) => sum + Math.round(each * 100), 0) / 100;

function CreateForm({
  values,
  error,
}: {
  values: Record<string, string>;
  error: ApiError | undefined;
}): VNode {
  const named = (name: (typeof createFields)[number]) => ({ name, value: values[name] ?? '' });
  return (
    <Form path={`${path}/create`} names={createFields} error={error}>
      <FormId />
      <TextField {...named('name')} label="Company name" maxlength={200} required />
      <TextField
        {...named('owner_email')}
        label="Owner’s email"
        type="email"
        maxlength={254}
        required
        hint="The first owner, who gets an invitation by email."
      />
      <TextField
        {...named('subscription_type')}
        label="Plan"
        maxlength={50}
        required
        hint="Such as Free, Starter or Growth. Special is unlimited."
      />
      <TextField
        {...named('time_zone')}
        label="Time zone"
        hint="Such as Europe/Amsterdam. Leave empty for UTC."
      />
      <TextField
        {...named('parent_merchant_id')}
        label="Parent merchant ID"
        maxlength={36}
        hint="Only for a sub-merchant."
      />
      <Submit>Create merchant</Submit>
    </Form>
  );
}
