import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The first mail to a candidate, with the interview, the link and the recruiter's message. */
export const candidateInvitation = (data: CandidateMailData): Mail =>
  composeMail({ kind: 'candidate', data }, guidance);

const guidance = [
  'You will be asked a few questions, one after the other, and answer each in your own words; there is no appointment, and nobody is waiting on the other side.',
  'Find a quiet place and plan half an hour or so without interruption, so that you need not hurry.',
  'A computer or phone with a current browser is enough; allow it to use your microphone, and your camera if you are asked for it.',
].join(' ');
