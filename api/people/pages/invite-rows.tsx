import type { VNode } from 'preact';
import { HiddenFields } from '../../platform/site/buttons';
import { Badge, CopyButton, Link, OneLine, Panel, Table } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import { newFormId } from '../../platform/site/form-id';
import type { InviteOutcome } from './invite-people';
import { HiddenSettings } from './invite-settings';
import type { InviteSettings } from './invite-settings';

/** Returns true if the person is invited or registered, or would be. */
export const isInvitedOrRegistered = ({ code }: Pick<InviteOutcome, 'code'>): boolean =>
  code === 'invited' || code === 'ok';

/** Says why a person is not invited. */
export function whyNotInvited({ code, result, sameAs }: InviteOutcome): string {
  if (code === 'activated') return 'Has begun the interview already.';
  if (code !== 'skipped') return result.replace(/^Error: /, '');
  return sameAs === undefined ? 'Was invited already.' : `Is in row ${sameAs} already.`;
}

/** A list of people with what happens to each. */
export const OutcomeTable = ({
  outcomes,
  isDone,
}: {
  outcomes: readonly InviteOutcome[];
  isDone: boolean;
}): VNode => (
  <Table
    caption="People"
    columns={['Row', 'Name', 'Email', isDone ? 'Result' : 'What will happen']}
    rows={outcomes.map((outcome) => [
      outcome.person.row,
      <OneLine text={outcome.person.name} />,
      <OneLine text={outcome.person.email} />,
      <WhatHappens {...{ outcome, isDone }} />,
    ])}
  />
);

const titles: Record<string, readonly [before: string, after: string]> = {
  invited: ['Will be invited', 'Invited'],
  ok: ['Will be registered', 'Registered'],
  budget_exhausted: ['Over the budget', 'Over the budget'],
  not_a_test_recipient: ['Not a test recipient', 'Not a test recipient'],
  invalid_format: ['Invalid', 'Invalid'],
  activated: ['Has begun', 'Has begun'],
};

function WhatHappens({ outcome, isDone }: { outcome: InviteOutcome; isDone: boolean }): VNode {
  const { code, sameAs, link } = outcome;
  const skipped = sameAs === undefined ? 'Already invited' : 'Duplicate';
  const [before, after] = titles[code] ?? (code === 'skipped' ? [skipped, skipped] : ['Error', 'Error']);
  const isFine = isInvitedOrRegistered(outcome);
  const isLater = isFine && sameAs !== undefined;
  return (
    <>
      <Badge tone={isFine ? 'good' : code === 'skipped' || code === 'activated' ? 'warn' : 'bad'}>
        {isDone ? after : before}
      </Badge>
      {!isFine && <> {whyNotInvited(outcome)}</>}
      {isLater && <> Replaces row {sameAs}, which has the same address.</>}
      {link !== undefined && (
        <span class="copyable">
          <input readonly value={link} aria-label={`Link of ${outcome.person.email}`} />
          <CopyButton what={`link of ${outcome.person.email}`} />
        </span>
      )}
    </>
  );
}

/**
 * The form that sends the people who passed a dry run. It carries them as JSON: the operation validates them like any
 * other input.
 */
export function SendForm(props: {
  path: string;
  outcomes: readonly InviteOutcome[];
  settings: InviteSettings;
}): VNode {
  const { path, outcomes, settings } = props;
  const good = outcomes.filter(isInvitedOrRegistered).map(({ person }) => person);
  const others = outcomes.length - good.length;
  const back = (
    <Link to="/candidates/invite" query={{ how: 'csv', interview_id: settings.interview_id }}>
      Change the list
    </Link>
  );
  return (
    <Panel>
      <p class={others > 0 ? 'lead warn' : 'lead good'}>
        {`${count(good.length)} will be ${settings.send_email ? 'invited' : 'registered'}.`}
        {others > 0 && ` ${count(others)} will not. Nothing has been sent yet.`}
        {others === 0 && ' Nothing has been sent yet.'}
      </p>
      {good.length > 0 ? (
        <Form path={path} isUpload layout="inline">
          <HiddenFields fields={{ people: JSON.stringify(good), ...newFormId() }} />
          <HiddenSettings settings={settings} />
          <button>{`${settings.send_email ? 'Invite' : 'Register'} ${count(good.length)}`}</button>
          {back}
        </Form>
      ) : (
        <p>{back}</p>
      )}
    </Panel>
  );
}

const count = (people: number): string => `${people} ${people === 1 ? 'person' : 'people'}`;
