import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';
import { durationOf } from './candidate-invitation';

/** The last mail to a candidate, sent while there is still time to take the interview. */
export const finalReminder = (data: CandidateMailData): Mail =>
  composeMail(
    { kind: 'final', data },
    [
      `If you would still like to take part, find a quiet place and plan up to ${durationOf(data)} without interruptions.`,
      'Before you begin, check that your browser can use your microphone, and your camera if you are asked.',
      'If you have decided not to take part, you do not need to do anything.',
    ].join(' '),
  );
