import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { sufferFault, type Faults } from './faults';
import { parseBody } from './parse-body';
import type { Pauses } from './pauses';
import { createRecords, type Records } from './records';

export type Mail = {
  to: string;
  from: string;
  subject: string;
  html: string | null;
  text: string | null;
  categories: string[];
  custom_args: Record<string, string>;
  at: string;
};

const address = z.object({ email: z.string().min(3).includes('@') });
const customArgs = z.record(z.string(), z.string()).default({});
const sendBody = z.object({
  personalizations: z
    .array(
      z.object({
        to: z.array(address).min(1),
        cc: z.array(address).default([]),
        bcc: z.array(address).default([]),
        subject: z.string().optional(),
        custom_args: customArgs,
      }),
    )
    .min(1)
    .max(1_000),
  from: address,
  subject: z.string().optional(),
  content: z.array(z.object({ type: z.string(), value: z.string().min(1) })).min(1),
  categories: z.array(z.string()).max(10).default([]),
  custom_args: customArgs,
});

export type MailProvider = {
  mails: Records<Mail>;
  /** `POST /v3/mail/send`. */
  send: (req: Request, res: Response) => Promise<void>;
};

/** SendGrid's v3 mail sending. A mail that had to suffer more than a delay is not stored. */
export function createMailProvider(faults: Faults, pauses: Pauses): MailProvider {
  const mails = createRecords<Mail>();
  return {
    mails,
    async send(req, res) {
      const fault = faults.take('sendgrid');
      if (await sufferFault(fault, res, pauses, (_status, message) => shapeError(message, null))) return;
      if (fault?.malformed) {
        res
          .status(fault.status ?? 200)
          .type('json')
          .send('{"errors": [{"message": ');
        return;
      }
      if (!/^Bearer \S/i.test(req.get('authorization') ?? '')) {
        res
          .status(401)
          .json(shapeError('The provided authorization grant is invalid, expired, or revoked', null));
        return;
      }
      const parsed = parseBody(sendBody, req.body);
      const sent = parsed.ok ? readMails(parsed.value) : undefined;
      if (!parsed.ok || !sent) {
        const { error, name } = parsed.ok ? { error: 'The subject is required.', name: 'subject' } : parsed;
        res.status(400).json(shapeError(error, name));
        return;
      }
      for (const mail of sent) mails.add(mail);
      res.status(202).set('X-Message-Id', randomUUID()).end();
    },
  };
}

/** SendGrid's error body. */
export function shapeError(message: string, field: string | null): object {
  return { errors: [{ message, field, help: null }] };
}

/** One mail for each recipient; undefined when one of them would get none of a subject. */
function readMails(body: z.infer<typeof sendBody>): Mail[] | undefined {
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
        at,
      });
    }
  }
  return mails;
}
