import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The first mail to a candidate, with the interview, the link and the recruiter's message. */
export const candidateInvitation = (data: CandidateMailData): Mail =>
  composeMail({ kind: 'candidate', data }, guidance);

const guidance = [
  'You will be asked a few questions, one after the other, and answer each in your own words. You do not need an appointment, and no person is waiting on the other side.',
  'Find a quiet place and plan about half an hour without interruptions, so that you can take your time.',
  'A computer or phone with a current browser is enough. Allow the browser to use your microphone, and your camera if you are asked.',
].join(' ');
