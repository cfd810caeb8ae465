import { composeMail, type InvitationMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The mail that invites a learner or mentor to a merchant’s coaching portal. */
export const coachingInvitation = (data: InvitationMailData): Mail =>
  composeMail({ kind: 'coaching', data }, guidance);

const guidance = [
  'The link opens a page where you accept the invitation. This takes a minute.',
  'After that you can practice at your own pace, as often as your portal allows.',
  'For a session, find a quiet place and use a current browser. Allow it to use your microphone, and your camera if you are asked.',
].join(' ');
