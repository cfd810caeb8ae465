import { composeMail, type InvitationMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The mail to a learner or mentor of a merchant’s coaching portal. */
export const coachingInvitation = (data: InvitationMailData): Mail =>
  composeMail({ kind: 'coaching', data }, guidance);

const guidance = [
  'The link opens a page on which you accept the invitation; this takes a minute.',
  'After that you can practise as often as your portal offers it, at your own pace.',
  'For a session, find a quiet place and a current browser that may use your microphone, and your camera if you are asked for it.',
].join(' ');
