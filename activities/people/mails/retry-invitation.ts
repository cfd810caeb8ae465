import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';
import { durationOf } from './candidate-invitation';

/** The mail to a candidate who may take the interview once more. */
export const retryInvitation = (data: CandidateMailData): Mail =>
  composeMail(
    { kind: 'retry', data },
    [
      'You begin again with the first question.',
      `Find a quiet place and plan up to ${durationOf(data)} without interruptions.`,
      'Before you begin, check that your browser can use your microphone, and your camera if you are asked.',
    ].join(' '),
  );
