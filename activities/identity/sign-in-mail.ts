import type { Mail } from '../platform/mails/layout';
import { staffMail } from '../platform/mails/staff-mail';

/** The mail with a sign-in link for the console. */
export const signInMail = (data: {
  recipient_name: string | null;
  environment: string;
  link: string;
}): Mail =>
  staffMail({
    recipient_name: data.recipient_name,
    subject: 'Your link to the console',
    lead: `Somebody, we hope you, asked for a link to the console of the interview platform (${data.environment}).`,
    deadline: 'It works once, within 15 minutes.',
    guidance: 'If it was not you, do nothing: nobody gets in without this link. Do not pass it on.',
    button: { label: 'Sign in', link: data.link },
    reason: 'You get this mail because your address was entered on the sign-in page.',
  });
