import type { VNode } from 'preact';
import { answerHumanReview, listOpenRequests } from '../../db/people/candidate-messages';
import type { OpenRequest } from '../../db/people/candidate-messages';
import { recordAuditEntry } from '../../db/platform/audit';
import { timeFactors } from '../../db/taking/public';
import { ApiError } from '../platform/operation/api-error';
import { requiredText, uuid } from '../platform/operation/vocabulary';
import { PostButton, Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Link, Pager, Panel, Time } from '../platform/site/elements';
import { ErrorBox, Form, TextArea } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { offsetOf } from '../platform/site/query';
import { sentText } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import { consoleWriters, mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { jobInterviewSetTimeFactor } from './job-interview-set-time-factor';
import { DueBadge, messageTitle } from './message-words';

const path = '/requests';
const limit = 50;
const maxReplyCharacters = 2_000;
const replyText = requiredText(maxReplyCharacters);
/** A recruiter's reply that was rejected, which the page shows again with the error. */
type Refused = { error: ApiError; messageId?: string; reply?: string };

/** Adds the page with the open requests of candidates for more time and for a review by a person. */
export function addRequestsPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, offset: number, refused?: Refused): Promise<Page> => {
    const requests = await deps.database.query(visit.caller(), listOpenRequests(limit, offset));
    const total = requests[0]?.total ?? 0;
    return {
      title: 'Requests',
      at: path,
      status: refused?.error.status,
      content: (
        <>
          {refused?.messageId === undefined && <ErrorBox error={refused?.error} />}
          <Panel>
            {requests.length === 0 && <p class="soft">No open requests.</p>}
            {requests.map((request) => (
              <Request request={request} isEditable={mayChange(visit)} refused={refused} />
            ))}
            <Pager path={path} total={total} limit={limit} offset={offset} query={{}} />
          </Panel>
        </>
      ),
    };
  };

  site.page('console-requests', path, (visit, { query }) => render(visit, offsetOf(query, 'offset')));

  site.post('console-request-time', '/requests/:id/time', async (visit, sent) => {
    const time_factor = timeFactors.find((factor) => String(factor) === sentText(sent, 'time_factor'));
    if (time_factor === undefined)
      throw new ApiError(
        'invalid_value',
        `time_factor must be one of: ${timeFactors.join(', ')}.`,
        'time_factor',
      );
    const { reply, error } = await callOperation(deps, visit, jobInterviewSetTimeFactor, {
      profile_interview_id: sent.params['id'] ?? '',
      time_factor,
    });
    if (error) return render(visit, 0, { error });
    return { goTo: path, flash: reply.request === 'granted' ? 'More time granted.' : 'Request declined.' };
  });

  site.post('console-request-typing', '/requests/:id/typing', async (visit, sent) => {
    const { error } = await callOperation(deps, visit, jobInterviewSetTimeFactor, {
      profile_interview_id: sent.params['id'] ?? '',
      may_type: true,
    });
    if (error) return render(visit, 0, { error });
    const result = uuid.safeParse(sentText(sent, 'result_id'));
    return {
      goTo: result.success ? `/results/${result.data}` : path,
      flash: 'The candidate can type answers that have to be videos.',
    };
  });

  site.post('console-request-answer', '/requests/:id/answer', async (visit, sent) => {
    const id = sent.params['id'] ?? '';
    const written = sentText(sent, `reply-${id}`);
    const reply = replyText.safeParse(written);
    if (!reply.success)
      return render(visit, 0, {
        error: new ApiError(
          'invalid_value',
          `Write a reply of at most ${maxReplyCharacters} characters.`,
          `reply-${id}`,
        ),
        messageId: id,
        reply: written,
      });
    const isAnswered = await deps.database.write(visit.caller(consoleWriters), async (trx) => {
      if (!uuid.safeParse(id).success) return false;
      const { result_id } = await trx.one(answerHumanReview(id, reply.data));
      if (result_id === null) return false;
      await trx.count(recordAuditEntry('human-review-answer', result_id));
      return true;
    });
    const flash = isAnswered
      ? 'Reply sent. The candidate sees it at the link of the interview.'
      : 'This request has been answered already.';
    return { goTo: path, flash };
  });
}

function Request(props: { request: OpenRequest; isEditable: boolean; refused: Refused | undefined }): VNode {
  const { request, isEditable, refused } = props;
  return (
    <article class="spoken">
      <h3>{messageTitle(request)}</h3>
      <p>
        <bdi>{request.candidate_name ?? request.candidate_email}</bdi> · <bdi>{request.interview_name}</bdi>
        {request.result_id !== null && (
          <>
            {' '}
            · <Link to={`/results/${request.result_id}`}>Result</Link>
          </>
        )}
      </p>
      {request.text !== null && <p class="answer">{request.text}</p>}
      <p class="soft small">
        <Time at={request.created_at} /> {request.due_at !== null && <DueBadge at={request.due_at} />}
      </p>
      {isEditable &&
        (request.kind === 'more_time' ? <TimeForms {...request} /> : <Answer {...{ request, refused }} />)}
    </article>
  );
}

const TimeForms = ({ enrolment_id, current_factor }: OpenRequest): VNode => (
  <div class="acts-row">
    {timeFactors
      .filter((factor) => factor > current_factor)
      .map((factor) => (
        <PostButton
          path={`/requests/${enrolment_id}/time`}
          label={`Give ${factor} times the time`}
          fields={{ time_factor: String(factor) }}
        />
      ))}
    <PostButton
      path={`/requests/${enrolment_id}/time`}
      label="Decline"
      fields={{ time_factor: String(current_factor) }}
    />
  </div>
);

function Answer({ request: { id }, refused }: { request: OpenRequest; refused: Refused | undefined }): VNode {
  const own = refused?.messageId === id ? refused : undefined;
  return (
    <Form path={`/requests/${id}/answer`} names={[`reply-${id}`]} error={own?.error}>
      <TextArea
        name={`reply-${id}`}
        label="Reply to the candidate"
        value={own?.reply ?? ''}
        rows={4}
        maxlength={maxReplyCharacters}
      />
      <Submit isPlain>Send reply</Submit>
    </Form>
  );
}
