import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';
import { durationOf } from './candidate-invitation';

/** The mail to a candidate who was advanced, with the link of the next step. */
export const nextStepInvitation = (data: CandidateMailData): Mail =>
  composeMail(
    { kind: 'next_step', data },
    [
      'The next step has questions of its own. Your earlier answers are kept, and you do not need to repeat them.',
      `Find a quiet place and plan up to ${durationOf(data)} without interruptions.`,
      'You need a current browser that can use your microphone, and your camera if you are asked.',
    ].join(' '),
  );
