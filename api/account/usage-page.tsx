import type { ComponentChildren, VNode } from 'preact';
import type { z } from 'zod';
import { creditBuckets } from '../../db/account/credits';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { Facts, Link, Pager, Panel, Table, Tabs, Time } from '../platform/site/elements';
import { offsetOf, oneOf } from '../platform/site/query';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';
import { merchantCreditList } from './merchant-credit-list';
import type { CreditEntry } from './merchant-credit-list';
import { subscriptionNames } from './merchant-fields';
import { merchantStatus } from './merchant-status';

export const usagePath = '/usage';
const path = usagePath;
const limit = 50;

/** Adds the owners' page with the credits of the account, the budget of invitations and the ledger. */
export function addUsagePage(site: Site, deps: ConsoleDeps): void {
  site.page('console-usage', path, async (visit, { query }) => {
    const bucket = oneOf(creditBuckets, query['bucket']);
    const [entries, status] = await Promise.all([
      callOperation(deps, visit, merchantCreditList, {
        bucket,
        limit: String(limit),
        offset: String(offsetOf(query)),
      }),
      callOperation(deps, visit, merchantStatus, {}),
    ]);
    const { data, pagination } = replyOf(entries);
    return {
      title: 'Usage',
      at: path,
      content: (
        <>
          <Panel title="Credits and invitations">
            <Balances status={replyOf(status)} />
            <p class="soft">
              Attempts in production are paid with credits. The next credits pay those that wait, oldest
              first. <a href="/docs/credits">What an attempt costs</a>
            </p>
          </Panel>
          <Panel title="Ledger">
            <Tabs path={path} label="Bucket" name="bucket" entries={bucketTabs} query={{ bucket }} />
            <Ledger entries={data} />
            <Pager path={path} {...pagination} query={{ bucket }} />
          </Panel>
        </>
      ),
    };
  });
}

/** The names under which pages show the buckets of credits. */
export const bucketNames = {
  monthly: 'Monthly',
  extra: 'Extra',
  single: 'Single position',
  coaching: 'Coaching',
} as const;
const bucketTabs = [
  ['', 'All'],
  ...creditBuckets.map((bucket) => [bucket, bucketNames[bucket]] as const),
] as const;

const Balances = ({ status }: { status: z.output<typeof merchantStatus.reply> }): VNode => (
  <Facts
    entries={[
      [
        'Plan',
        [
          status.subscription_type,
          status.subscription_status && subscriptionNames[status.subscription_status],
        ]
          .filter(Boolean)
          .join(', '),
      ],
      [
        'Monthly credits',
        `${status.credits_interview_monthly} left, ${status.credits_interview_monthly_limit} each month`,
      ],
      ['Extra credits', status.credits_interview_extra],
      ['Single-position credits', status.credits_interview_single],
      [
        'Coaching credits',
        `${status.credits_coaching_monthly} left, ${status.credits_coaching_monthly_limit} each month`,
      ],
      ['Attempts that wait for credits', status.interviews_without_credits],
      [
        'Invitations',
        status.invitations_limit === null
          ? `${status.invitations_sent} sent, no limit`
          : `${status.invitations_sent} of ${status.invitations_limit} sent, ${status.invitations_available} left`,
      ],
    ]}
  />
);

const Ledger = ({ entries }: { entries: readonly CreditEntry[] }): VNode => (
  <Table
    caption="Ledger"
    columns={['Time', 'Bucket', 'Reason', 'Credits', 'Balance']}
    rows={entries.map((entry) => [
      <Time at={entry.created_at} />,
      bucketNames[entry.bucket],
      reasonOf(entry),
      signed(entry.amount),
      entry.balance_after,
    ])}
    empty="No entries yet."
  />
);

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : `−${Math.abs(amount)}`);

const reasonNames: Partial<Record<string, string>> = {
  grant: 'Credits added',
  renewal: 'Credits of the plan',
  expiry: 'Unused credits expired',
  charge: 'Attempt charged',
  refund: 'Attempt refunded',
};

function reasonOf({ reason, actor, interview_result_id: resultId }: CreditEntry): ComponentChildren {
  if (actor !== 'system') return reason;
  const words = reasonNames[reason] ?? reason;
  return resultId === null ? words : <Link to={`/results/${resultId}`}>{words}</Link>;
}
