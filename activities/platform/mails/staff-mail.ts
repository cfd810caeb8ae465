import { oneLine } from '../../../api/platform/text/one-line';
import { layOut, type Mail } from './layout';

/** What a mail to somebody of the console says. It is in English, as the console is. */
export type StaffMailData = {
  recipient_name: string | null;
  subject: string;
  /** What happened, in a sentence or two. */
  lead: string;
  /** What until when, where there is such a time. */
  deadline?: string;
  /** What to do about it. */
  guidance?: string;
  button: { label: string; link: string };
  /** Why this person got it. */
  reason: string;
};

/** A mail of the platform itself to somebody who runs it or works with it. */
export function staffMail(data: StaffMailData): Mail {
  const name = oneLine(data.recipient_name ?? '');
  return layOut({
    language: 'en',
    subject: oneLine(data.subject),
    sender: 'Interview platform',
    greeting: name === '' ? 'Hello,' : `Hello ${name},`,
    lead: data.lead,
    deadline: data.deadline ?? null,
    quote: null,
    button: { ...data.button, note: 'If the button does not work, copy this link into your browser:' },
    guidance: data.guidance ?? null,
    address: null,
    personalNote: data.reason,
    closing: ['Kind regards,', 'Interview platform'],
    footer: 'Answers to this mail are read by nobody.',
  });
}
