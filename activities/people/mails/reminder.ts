import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';
import { durationOf } from './candidate-invitation';

/** The mail that reminds a candidate who has not taken the interview yet. */
export const reminder = (data: CandidateMailData): Mail =>
  composeMail(
    { kind: 'reminder', data },
    [
      `You can begin whenever you have a quiet place and up to ${durationOf(data)}. No person is waiting on the other side.`,
      'You need a current browser that can use your microphone, and your camera if you are asked.',
      'If you have already submitted your answers, you do not need to do anything.',
    ].join(' '),
  );
