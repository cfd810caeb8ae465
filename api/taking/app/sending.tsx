import type { VNode } from 'preact';
import type { TakingTexts } from '../texts';
import type { InterviewState } from './interview-state';

/** Says that an answer is being sent. The element is always there, because screen readers announce only its changes. */
export const Sending = ({
  texts,
  sending,
}: {
  texts: TakingTexts;
  sending: InterviewState['sending'];
}): VNode => (
  <p class={sending?.isRetrying ? 'note sending' : 'soft sending'} role="status">
    {sending && texts(sending.isRetrying ? 'not_sent' : 'sending')}
  </p>
);
