import { oneLine } from '../../../api/platform/text/one-line';
import { renderMail, type Mail } from './layout';

/** The content of a mail to a person who uses the console. It is in English, like the console. */
type StaffMailData = {
  recipient_name: string | null;
  subject: string;
  /** One or two sentences about what happened. */
  lead: string;
  /** The deadline, if there is one. */
  deadline?: string;
  /** What the recipient should do. */
  guidance?: string;
  button: { label: string; link: string };
  /** Why the recipient gets this mail. */
  reason: string;
};

/** Returns a mail that the platform sends in its own name to a person who uses the console. */
export function staffMail(data: StaffMailData): Mail {
  const name = oneLine(data.recipient_name ?? '');
  return renderMail({
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
    footer: 'Please do not reply to this mail. This mailbox is not monitored.',
  });
}
