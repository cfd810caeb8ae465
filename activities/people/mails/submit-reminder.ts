import { composeMail, type CandidateMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The mail to a candidate who has answered the questions and has not submitted the answers. */
export const submitReminder = (data: CandidateMailData): Mail =>
  composeMail({ kind: 'submit', data: { ...data, available_till: null } }, guidance);

const guidance = [
  'Your answers count only after you have submitted them.',
  'If you have submitted them in the meantime, or do not want to, you do not need to do anything.',
  'This is the only mail about it.',
].join(' ');
