import type { Mail } from '../platform/mails/layout';
import { staffMail } from '../platform/mails/staff-mail';

/** The mail with a sign-in link for the console. */
export const composeSignInMail = (data: {
  recipient_name: string | null;
  environment: string;
  link: string;
}): Mail =>
  staffMail({
    recipient_name: data.recipient_name,
    subject: 'Your sign-in link',
    lead: `Someone, hopefully you, requested a link to sign in to the console of the interview platform (${data.environment}).`,
    deadline: 'The link works once and expires in 15 minutes.',
    guidance: 'If it was not you, you can ignore this mail. Do not share the link with anyone.',
    button: { label: 'Sign in', link: data.link },
    reason: 'You received this mail because your address was entered on the sign-in page.',
  });
