import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The last mail to a candidate, sent while there is still time to take the interview. */
export const finalReminder = (data: CandidateMailData): Mail =>
  composeMail({ kind: 'final', data }, guidance);

const guidance = [
  'If you would still like to take part, choose a quiet place and plan half an hour or so without interruption.',
  'Before you begin, check that your browser may use your microphone, and your camera if you are asked for it.',
  'If you have decided otherwise, you need not do anything.',
].join(' ');
