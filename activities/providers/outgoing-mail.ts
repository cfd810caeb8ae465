import { domainToASCII } from 'node:url';
import type sendgrid from '@sendgrid/mail';
import { oneLine } from '../../api/platform/text/one-line';

type MailData = Exclude<Parameters<typeof sendgrid.send>[0], unknown[]>;

export type OutgoingMail = {
  /** The provider includes this id in every event of the mail. */
  mail_id: string;
  kind: string;
  to: { email: string; name: string };
  from_name: string;
  reply_to: string | null;
  subject: string;
  html: string;
  text: string;
  custom_args: Record<string, string>;
  categories: string[];
  attachment?: { name: string; type: string; content: Buffer };
};

/** Converts a mail to SendGrid's format. */
export function toSendgridMail(mail: OutgoingMail, fromAddress: string): MailData {
  return {
    from: withName(fromAddress, mail.from_name),
    to: withName(mail.to.email, mail.to.name),
    ...(mail.reply_to === null ? {} : { replyTo: { email: toAsciiAddress(mail.reply_to) } }),
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    ...(mail.attachment === undefined ? {} : { attachments: [toAttachment(mail.attachment)] }),
    categories: [...new Set([mail.kind, ...mail.categories])],
    customArgs: { ...mail.custom_args, mail_id: mail.mail_id },
    trackingSettings: {
      // Our links contain personal tokens, so they must not go through another server.
      clickTracking: { enable: false, enableText: false },
      openTracking: { enable: true },
    },
  };
}

const toAttachment = ({ name, type, content }: NonNullable<OutgoingMail['attachment']>) => ({
  filename: name,
  type,
  content: content.toString('base64'),
  disposition: 'attachment',
});

function withName(email: string, name: string): { email: string; name?: string } {
  const address = { email: toAsciiAddress(email) };
  // SendGrid does not accept `,` or `;` in a name, and angle brackets would begin an address.
  const clean = oneLine(name.replaceAll(/[,;<>]+/g, ' '));
  return clean === '' ? address : { ...address, name: clean };
}

/**
 * Converts an internationalized domain to its ASCII form, which every mail server supports. A domain without an ASCII
 * form is left as it is, for SendGrid to validate.
 */
function toAsciiAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  if (/^[\x20-\x7E]*$/.test(domain)) return email;
  return `${email.slice(0, at + 1)}${domainToASCII(domain) || domain}`;
}
