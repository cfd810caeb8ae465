import { composeMail, type TeamMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The mail that invites a person to a merchant's team. */
export const teamInvitation = (data: TeamMailData): Mail => composeMail({ kind: 'team', data }, guidance);

const guidance = [
  'The link opens a page where you accept the invitation. This takes a minute.',
  'After that you can work with the interviews, candidates and results that your role gives you access to.',
  'A current browser on a computer is all you need.',
].join(' ');
