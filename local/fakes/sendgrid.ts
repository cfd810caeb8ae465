import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { applyFault, type Faults } from './faults';
import { parseBody } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';
import type { EventReporter } from './sendgrid-events';

type Attachment = { filename: string; type?: string | undefined; content: string };
type Mail = {
  to: string;
  from: string;
  subject: string;
  html: string | null;
  text: string | null;
  categories: string[];
  custom_args: Record<string, string>;
  attachments: Attachment[];
  at: string;
  from_name: string | null;
  reply_to: string | null;
  /** All mails of a request have the same value. */
  message_id: string;
};

const invalidAddress = 'Does not contain a valid address.';
const addressPattern = /^[^\s@,;:<>()[\]]{1,64}@([a-z0-9](-*[a-z0-9])*\.)+[a-z0-9](-*[a-z0-9])*$/i;
const email = z.string(invalidAddress).max(254, invalidAddress).regex(addressPattern, invalidAddress);
const sender = z.object({ email, name: z.string().optional() });
const recipient = z.object({
  email: email.refine((value) => !/^rejected/i.test(value), invalidAddress),
  name: z
    .string()
    .regex(/^[^,;]*$/, 'The name cannot include either the ; or , characters.')
    .optional(),
});
const customArgs = z
  .record(z.string(), z.string())
  .refine((args) => JSON.stringify(args).length <= 10_000, 'The custom arguments are over 10000 bytes.')
  .default({});
const sendBody = z.object({
  personalizations: z
    .array(
      z
        .object({
          to: z.array(recipient).min(1),
          cc: z.array(recipient).default([]),
          bcc: z.array(recipient).default([]),
          subject: z.string().optional(),
          custom_args: customArgs,
        })
        .refine(({ to, cc, bcc }) => {
          const all = [...to, ...cc, ...bcc].map(({ email }) => email.toLowerCase());
          return new Set(all).size === all.length;
        }, 'Each email address in the personalization block should be unique between to, cc, and bcc.'),
    )
    .min(1)
    .max(1_000),
  from: sender,
  reply_to: sender.optional(),
  subject: z.string().optional(),
  content: z
    .array(z.object({ type: z.string(), value: z.string().min(1) }))
    .min(1)
    .refine(
      (parts) => !parts.slice(1).some(({ type }) => type === 'text/plain'),
      'If present, text/plain must be first.',
    ),
  attachments: z
    .array(z.object({ filename: z.string().min(1), type: z.string().optional(), content: z.base64().min(1) }))
    .default([]),
  categories: z
    .array(z.string().max(255))
    .max(10)
    .refine((names) => new Set(names).size === names.length, 'Categories must be unique.')
    .default([]),
  custom_args: customArgs,
});

type MailProvider = {
  mails: RecentRecords<Mail>;
  /** Handles `POST /v3/mail/send`. */
  send: (req: Request, res: Response) => Promise<void>;
  /**
   * Handles `POST /mailbox/open`: acts as if a recipient opened the mail with this `mail_id` in its custom arguments.
   */
  open: (req: Request, res: Response) => void;
};

/**
 * Creates a fake of SendGrid's v3 mail sending. A mail that gets a fault other than a delay is not stored, unless the
 * fault has `accept`. Addresses that begin with `rejected` are rejected. Mails to addresses that begin with `bounce`
 * are accepted and then bounce.
 */
export function createMailProvider(
  faults: Faults,
  pauses: Delays,
  reporter: EventReporter | undefined,
): MailProvider {
  const mails = createRecentRecords<Mail>();
  const store = (accepted: Mail[]) => {
    for (const mail of accepted) {
      mails.add(mail);
      reporter?.report(mail, ['processed', /^bounce/i.test(mail.to) ? 'bounce' : 'delivered']);
    }
  };

  return {
    mails,
    async send(req, res) {
      const messageId = randomUUID();
      const validated = validate(req, messageId);
      const categories = 'mails' in validated ? validated.mails.flatMap((mail) => mail.categories) : [];
      const fault = faults.take('sendgrid', { categories });
      const isEarly = fault?.accept === true;
      if (isEarly && 'mails' in validated) store(validated.mails);
      if (await applyFault(fault, res, pauses, (_status, message) => shapeError(message, null))) return;
      if (fault?.malformed) {
        res
          .status(fault.status ?? 200)
          .type('json')
          .send('{"errors": [{"message": ');
        return;
      }
      if (!('mails' in validated)) {
        res.status(validated.status).json(validated.body);
        return;
      }
      if (!isEarly) store(validated.mails);
      res.status(202).set('X-Message-Id', messageId).end();
    },
    open(req, res) {
      const parsed = parseBody(z.strictObject({ mail_id: z.string() }), req.body);
      if (!parsed.ok) {
        res.status(422).json({ error: parsed.error, name: parsed.name });
        return;
      }
      const opened = mails
        .list()
        .findLast(({ custom_args: args }) => args['mail_id'] === parsed.value.mail_id);
      if (opened) reporter?.report(opened, ['open']);
      res.status(opened ? 202 : 404).json(opened ? {} : { error: 'there is no such mail', name: 'mail_id' });
    },
  };
}

/** Returns the mails that a request sends, or SendGrid's error response. */
function validate(req: Request, messageId: string): { mails: Mail[] } | { status: number; body: object } {
  if (!/^Bearer \S/i.test(req.get('authorization') ?? '')) {
    const message = 'The provided authorization grant is invalid, expired, or revoked';
    return { status: 401, body: shapeError(message, null) };
  }
  const parsed = parseBody(sendBody, req.body);
  if (!parsed.ok) return { status: 400, body: shapeError(parsed.error, parsed.name) };
  const mails = readMails(parsed.value, messageId);
  return mails ? { mails } : { status: 400, body: shapeError('The subject is required.', 'subject') };
}

/** Returns SendGrid's error body. */
export function shapeError(message: string, field: string | null): object {
  return { errors: [{ message, field, help: null }] };
}

/** Returns one mail for each recipient, or undefined when one of the mails would have no subject. */
function readMails(body: z.infer<typeof sendBody>, messageId: string): Mail[] | undefined {
  const part = (type: string) => body.content.find((content) => content.type === type)?.value ?? null;
  const at = new Date().toISOString();
  const mails: Mail[] = [];
  for (const { to, cc, bcc, subject = body.subject, custom_args } of body.personalizations) {
    if (!subject) return undefined;
    for (const { email } of [...to, ...cc, ...bcc]) {
      mails.push({
        to: email,
        from: body.from.email,
        subject,
        html: part('text/html'),
        text: part('text/plain'),
        categories: body.categories,
        custom_args: { ...body.custom_args, ...custom_args },
        attachments: body.attachments,
        at,
        from_name: body.from.name ?? null,
        reply_to: body.reply_to?.email ?? null,
        message_id: messageId,
      });
    }
  }
  return mails;
}
