import { composeMail, type TeamMailData } from '../../platform/mails/compose';
import type { Mail } from '../../platform/mails/layout';

/** The mail that invites a person to a merchant's team. */
export const teamInvitation = (data: TeamMailData): Mail => composeMail({ kind: 'team', data }, guidance);

const guidance = [
  'The link opens a page on which you accept the invitation; this takes a minute.',
  'After that you work with the interviews, candidates and results that your role lets you see.',
  'A current browser on a computer is all you need.',
].join(' ');
