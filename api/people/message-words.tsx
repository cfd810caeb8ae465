import type { VNode } from 'preact';
import type { CandidateMessage } from '../../db/people/candidate-messages';
import { PostButton } from '../platform/site/buttons';
import { Badge, Link, Panel, Time } from '../platform/site/elements';

const troubles = {
  sound: 'Microphone or sound',
  picture: 'Camera',
  connection: 'Connection',
  question: 'A question',
  other: 'Something else',
} as const;
const outcomes = { granted: 'Granted', declined: 'Declined', answered: 'Answered' } as const;

/** Says in a few words what a candidate has sent. */
export function messageTitle({ kind, time_factor, rating, trouble }: CandidateMessage): string {
  switch (kind) {
    case 'more_time':
      return `Request for more time (× ${time_factor ?? ''})`;
    case 'human_review':
      return 'Request for a review by a person';
    case 'survey':
      return `Survey: ${rating ?? ''} of 5`;
    default:
      return `Trouble: ${trouble ? troubles[trouble] : ''}`;
  }
}

/** Shows the time until which a request must be answered. */
export const DueBadge = ({ at }: { at: string }): VNode => (
  <Badge tone={Date.parse(at) < Date.now() ? 'bad' : 'warn'}>
    Due <Time at={at} />
  </Badge>
);

type OfMessages = { messages: readonly CandidateMessage[]; isEditable: boolean };

/**
 * Shows what the candidate has sent about an attempt, and lets recruiters allow a candidate without a camera to type.
 * Returns null if there is nothing.
 */
export function CandidateMessages({ messages, isEditable }: OfMessages): VNode | null {
  if (messages.length === 0) return null;
  const isOpen = messages.some(({ kind, closed_at }) => closed_at === null && isRequest(kind));
  return (
    <Panel title="From the candidate">
      {messages.map((message) => (
        <article class="spoken">
          <h3>{messageTitle(message)}</h3>
          {message.text !== null && <p class="answer">{message.text}</p>}
          {message.reply !== null && <p class="soft said">{message.reply}</p>}
          <p class="soft small">
            <Time at={message.created_at} />{' '}
            {message.outcome !== null && <Badge>{outcomes[message.outcome]}</Badge>}
            {message.outcome === null && message.due_at !== null && <DueBadge at={message.due_at} />}
            {message.trouble === 'picture' && message.may_type && <Badge>May type</Badge>}
          </p>
          {message.trouble === 'picture' && !message.may_type && isEditable && (
            <PostButton
              path={`/requests/${message.enrolment_id}/typing`}
              label="Let the candidate type"
              fields={{ result_id: message.result_id ?? '' }}
            />
          )}
        </article>
      ))}
      {isOpen && (
        <p>
          <Link to="/requests">Open requests</Link>
        </p>
      )}
    </Panel>
  );
}

const isRequest = (kind: CandidateMessage['kind']): boolean =>
  kind === 'more_time' || kind === 'human_review';
