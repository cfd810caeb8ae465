import { writeDuration } from '../../../api/platform/text/text-reader';
import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The first mail to a candidate, with the interview, the link and the recruiter's message. */
export const candidateInvitation = (data: CandidateMailData): Mail =>
  composeMail(
    { kind: 'candidate', data },
    [
      'You will be asked a few questions, one after the other, and answer each in your own words. You do not need an appointment, and no person is waiting on the other side.',
      `Find a quiet place and plan up to ${durationOf(data)} without interruptions, so that you can take your time.`,
      'A computer or phone with a current browser is enough. Allow the browser to use your microphone, and your camera if you are asked.',
    ].join(' '),
  );

/** Writes how long the interview takes at most, for guidance, which is in English. */
export const durationOf = ({ minutes }: CandidateMailData): string => writeDuration(minutes, 'minute', 'en');
