import type { VNode } from 'preact';
import { jobInterviewRegisterUsers } from '../../people/public';
import { ApiError } from '../../platform/operation/api-error';
import { PostButton, Submit } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import type { OperationResult } from '../../platform/site/call-operation';
import { CopyButton, RedirectNow, Link, Panel } from '../../platform/site/elements';
import { ErrorBox, Form, TextField } from '../../platform/site/form';
import { sentText } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { oneLine } from '../../platform/text/one-line';
import type { InterviewDefinition } from './interview-form-fields';
import type { InterviewNote, RenderInterview } from './interview-note';

/** Adds the actions that make a candidate's link, and open the interview as a test candidate. */
export function addShareActions(site: Site, deps: ConsoleDeps, render: RenderInterview): void {
  const register = async (
    visit: ConsoleVisit,
    interview_id: string,
    person: { name: string; email: string },
    is_test: boolean,
  ): Promise<OperationResult<string>> => {
    const { reply, error } = await callOperation(deps, visit, jobInterviewRegisterUsers, {
      interview_id,
      users: [person],
      is_test,
    });
    if (error) return { error };
    const [row] = reply;
    if (row?.interview_url !== undefined) return { reply: row.interview_url };
    // The result of a row is `Error: email must be …`.
    const message = row?.result.replace(/^Error: /, '') ?? '';
    return { error: new ApiError('invalid_value', message, message.startsWith('name ') ? 'name' : 'email') };
  };

  site.post('console-interview-link', '/interviews/:id/link', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const entered = { name: sentText(sent, 'name'), email: sentText(sent, 'email') };
    const { reply, error } = await register(visit, id, entered, false);
    return render(visit, id, {
      form: 'share',
      ...(error ? { error, entered } : { link: { url: reply, of: entered.name || entered.email } }),
    });
  });

  site.post('console-interview-preview', '/interviews/:id/preview', async (visit, sent) => {
    const { email, name } = visit.session;
    const person = { email, name: oneLine(name ?? email) };
    const { reply, error } = await register(visit, sent.params['id'] ?? '', person, true);
    return {
      title: 'Preview',
      at: '/interviews',
      status: error?.status,
      content: error ? <ErrorBox error={error} /> : <RedirectNow to={reply} />,
    };
  });
}

/** Shows the address of a public avatar, whose origin is `portal`. */
export function AvatarPanel(props: { id: string; interview: InterviewDefinition; portal: string }): VNode {
  const { id, interview, portal } = props;
  const { slug, visibility, status } = interview;
  const hasPage = slug !== null && visibility !== 'merchant_invite' && visibility !== 'sub_item';
  return (
    <Panel title="Share">
      {hasPage ? (
        <div class="field">
          <label for="avatar-address">Address</label>
          <div class="copyable">
            <input id="avatar-address" class="mono" readonly value={`${portal}/talk/${slug}/`} />
            <CopyButton what="Address" />
          </div>
        </div>
      ) : (
        <p class="soft">It has no page. Set its visibility to public, listed or unlisted to open one.</p>
      )}
      {hasPage && status !== 'active' && <p class="soft">The page opens once the interview is active.</p>}
      <p class="soft">
        Everyone who has the address can ask it 20 questions in a visit, without a name. It answers from the
        description and the knowledge base, which become public by that. Visits are deleted after 30 days.
      </p>
      <Link class="button plain" to="/results" query={{ interview_id: id }}>
        Visits
      </Link>
    </Panel>
  );
}

/** Shows how candidates get to an interview, with a form for the link of one, and a preview. */
export function SharePanel(props: {
  id: string;
  interview: InterviewDefinition;
  note: InterviewNote;
}): VNode {
  const { id, interview, note } = props;
  const { entered, link } = note;
  const isClosed = interview.status === 'archived' || interview.status === 'completed';
  if (interview.visibility === 'sub_item') return <OnlyThroughPosition {...{ id, interview }} />;
  return (
    <Panel title="Share">
      {link && (
        <div class="field" role="status">
          <label for="candidate-link">
            Link of <bdi>{link.of}</bdi>
          </label>
          <div class="copyable">
            <input id="candidate-link" class="mono" readonly value={link.url} />
            <CopyButton what="Link" />
          </div>
          <p class="soft small">The link is personal: send it to this person only.</p>
        </div>
      )}
      {isClosed ? (
        <p class="soft">Nobody can begin this interview. Set it to active to share it.</p>
      ) : (
        <>
          {interview.status !== 'active' && (
            <p class="soft">Links open once the interview is active. The preview opens now.</p>
          )}
          <Form
            path={`/interviews/${id}/link`}
            names={['name', 'email']}
            error={note.form === 'share' ? note.error : undefined}
            layout="inline"
          >
            <TextField name="name" label="Candidate’s name" value={entered?.['name'] ?? ''} maxlength={200} />
            <TextField
              name="email"
              label="Candidate’s email"
              type="email"
              value={entered?.['email'] ?? ''}
              maxlength={254}
              required
            />
            <Submit isPlain>Create link</Submit>
          </Form>
          <div class="acts-row">
            <PostButton path={`/interviews/${id}/preview`} label="Preview as a test candidate" isNewTab />
            <Link class="button plain" to="/candidates" query={{ interview_id: id }}>
              Candidates
            </Link>
          </div>
        </>
      )}
    </Panel>
  );
}

const OnlyThroughPosition = ({ id, interview }: { id: string; interview: InterviewDefinition }): VNode => (
  <Panel title="Share">
    <p class="soft">
      Candidates reach this interview only through{' '}
      {interview.position_id === null ? (
        <>
          a position, and it is no step of one yet. <Link to="/positions/new">Create a position</Link>.
        </>
      ) : (
        <>
          <Link to={`/positions/${interview.position_id}`}>its position</Link>.
        </>
      )}{' '}
      To share or preview it alone, change who can find it in the{' '}
      <Link to={`/interviews/${id}/settings`}>settings</Link>.
    </p>
  </Panel>
);
