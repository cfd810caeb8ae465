import type { ComponentChildren, VNode } from 'preact';
import { ApiError } from '../../platform/operation/api-error';
import { ConfirmButton } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Facts, Link, Mono, Panel, Soft, Time } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import { ErrorBox } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { oneLine } from '../../platform/text/one-line';
import { merchantResultList } from '../../results/public';
import type { MerchantResult } from '../../results/public';
import { merchantCandidateList } from '../merchant-candidate-list';
import type { MerchantCandidate } from '../merchant-candidate-list';
import { merchantCandidateWithdraw } from '../merchant-candidate-withdraw';
import { merchantInvitationList } from '../merchant-invitation-list';
import type { MerchantInvitation } from '../merchant-invitation-list';
import { kindWords, MailBadge } from './candidate-words';
import { CandidateTable } from './candidates-page';
import { MessageState } from './mails-page';

/** The most interviews, mails and results of a person that the page shows. */
const limits = { candidates: 50, mails: 100, results: 20 };

type Event = {
  at: string;
  what: ComponentChildren;
  where: string | null;
  tone?: Tone;
  more?: ComponentChildren;
};

/** Adds the page of one person: the interviews, and all that happened in them, the latest first. */
export function addCandidatePage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, profile_id: string, error?: ApiError): Promise<Page> => {
    const [{ reply: listed }, mails, results] = await Promise.all([
      callOperation(deps, visit, merchantCandidateList, { profile_id, limit: String(limits.candidates) }),
      callOperation(deps, visit, merchantInvitationList, { profile_id, limit: String(limits.mails) }),
      callOperation(deps, visit, merchantResultList, { profile_id, limit: String(limits.results) }),
    ]);
    const [person] = listed?.data ?? [];
    // A person whom the visitor may not see, and one who is a candidate of nothing, are no candidates of this page.
    if (!listed || !person) throw new ApiError('not_found', 'There is no candidate with this ID.');
    const events = [
      ...listed.data.map(registered),
      ...replyOf(mails).data.map(mailed),
      ...replyOf(results).data.flatMap(attempted),
    ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
    return {
      title: oneLine(person.name ?? '') || person.email,
      at: '/candidates',
      status: error?.status,
      content: (
        <>
          <ErrorBox error={error} />
          <Panel title="Person">
            <Facts
              entries={[
                ['Name', person.name],
                ['Email', person.email],
                person.phone !== null && ['Phone', person.phone],
                person.external_id !== null && ['External ID', person.external_id],
                ['ID', <Mono>{profile_id}</Mono>],
              ]}
            />
            {mayChange(visit) && (
              <div class="acts-row">
                <Link
                  class="button plain"
                  to="/candidates/invite"
                  query={{ email: person.email, name: person.name }}
                >
                  Invite to another interview
                </Link>
                {listed.data.filter(hasNotBegun).map(WithdrawButton)}
              </div>
            )}
          </Panel>
          <Panel title="Interviews" live="interviews">
            <CandidateTable candidates={listed.data} isFiltered={false} />
          </Panel>
          <Panel title="Timeline" live="timeline">
            <ol class="timeline">{events.map(TimelineEntry)}</ol>
          </Panel>
        </>
      ),
    };
  };

  site.page('console-candidate', '/candidates/:id', (visit, { params }) => render(visit, params['id'] ?? ''));
  site.post('console-candidate-withdraw', '/candidates/:id/withdraw', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const { error } = await callOperation(deps, visit, merchantCandidateWithdraw, {
      profile_interview_id: sentText(sent, 'profile_interview_id'),
    });
    if (error) return render(visit, id, error);
    return { goTo: `/candidates/${id}`, flash: 'Candidate withdrawn. The links no longer work.' };
  });
}

const hasNotBegun = ({ status }: MerchantCandidate): boolean =>
  status === 'registered' || status === 'invited';

const WithdrawButton = ({ profile_id, profile_interview_id, interview_name }: MerchantCandidate): VNode => (
  <ConfirmButton
    path={`/candidates/${profile_id}/withdraw`}
    id={`withdraw-${profile_interview_id}`}
    label={`Withdraw from ${oneLine(interview_name)}`}
    fields={{ profile_interview_id }}
  >
    All links of this candidate stop working, and no reminders are sent. To undo this, invite the candidate
    again.
  </ConfirmButton>
);

const TimelineEntry = ({ at, what, where, tone = 'plain', more }: Event): VNode => (
  <li class={`attempt ${tone}`}>
    {what}
    {where !== null && (
      <>
        {' · '}
        <bdi>{oneLine(where)}</bdi>
      </>
    )}
    <br />
    <Soft>
      <Time at={at} />
    </Soft>
    {more !== undefined && more !== null && <p>{more}</p>}
  </li>
);

const registered = ({ created_at, interview_name, position_id }: MerchantCandidate): Event => ({
  at: created_at,
  what: position_id === null ? 'Added to the interview' : 'Added to the position',
  where: interview_name,
});

const mailed = (mail: MerchantInvitation): Event => ({
  at: mail.sent_at ?? mail.created_at,
  what: (
    <>
      {mail.kind === null
        ? `Invitation: ${mail.result === 'Skipped' ? 'invited before' : 'has begun already'}`
        : kindWords[mail.kind]}{' '}
      {mail.mail_status !== null && <MailBadge status={mail.mail_status} />}
      {mail.message_channel !== null && (
        <>
          {' · '}
          <MessageState {...mail} />
        </>
      )}
    </>
  ),
  where: mail.interview_name,
  more: mail.mail_error,
  ...(mail.mail_status === 'delivered'
    ? { tone: 'good' as const }
    : mail.mail_error === null
      ? {}
      : { tone: 'bad' as const }),
});

function attempted(result: MerchantResult): Event[] {
  const {
    created_at,
    submitted_at,
    scored_at,
    decided_at,
    recruiter_go_next_round: decision,
    is_test,
    score,
    max_score,
  } = result;
  const to = `/results/${result.interview_result_id}`;
  const entry = (at: string | null, what: ComponentChildren, tone?: Tone): Event[] =>
    at === null ? [] : [{ at, what, where: result.interview_name, ...(tone ? { tone } : {}) }];
  return [
    ...entry(created_at, <Link to={to}>{is_test ? 'Began a test' : 'Began the interview'}</Link>),
    ...entry(submitted_at, <Link to={to}>Submitted</Link>),
    ...entry(scored_at, <Link to={to}>{score === null ? 'Scored' : `Scored ${score} of ${max_score}`}</Link>),
    ...(decision === null
      ? []
      : entry(
          decided_at,
          <Link to={to}>{decision ? 'Advanced' : 'Rejected'}</Link>,
          decision ? 'good' : 'bad',
        )),
  ];
}
