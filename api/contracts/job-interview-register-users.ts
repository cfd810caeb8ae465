import { z } from 'zod';
import { defineOperation } from './operation';
import { candidateRow, rowsOf } from './user-rows';
import { uuid, withDefault, writers } from './vocabulary';

/** true and "true" turn it on; every other value is off. */
const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 'true')
  .meta({
    override: {
      type: ['boolean', 'string'],
      description: 'true or "true" turns it on, everything else is off.',
      default: false,
    },
  });

export const jobInterviewRegisterUsers = defineOperation({
  name: 'job-interview-register-users',
  method: 'POST',
  tag: 'People',
  summary: 'Register candidates for an interview or position and get their links',
  description: `Each row of \`users\` is judged alone and answered at its place: \`result\` is \`ok\`, or \`Error: …\` without an
\`interview_url\`. Of a row \`email\` is required; \`name\`, \`external_id\` and \`phone\` may be left out, keys beyond these are
echoed (each under 1 KiB). A candidate that the interview knows, by \`external_id\` or else by e-mail (case-folded), is updated;
what a row leaves out stays as it was; another e-mail revokes the links sent to the old one. Of two rows about one person
the later wins.

\`interview_id\` is an interview definition or a position; a position enrols at its first step, whose page the link opens.
Candidates of a draft can be registered, their links open once it is active; with \`is_test\` they open at once, and the
definition is compiled anew. An archived, completed or expired one is 422.

A link takes one attempt. It works for 30 days, or until \`interview_available_till\`; all links of one attempt work and end
together. With \`send_email\` each person gets the link by mail too, in the interview's language, which takes one invitation
of the account's budget; a row beyond it is \`Error: No invitations left in this period\` and not registered. Reminders follow
as the account is set.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  input: z.object({
    users: rowsOf(candidateRow),
    interview_id: uuid,
    send_email: withDefault(z.boolean(), false),
    hide_menu: flag,
    hide_iframe: flag,
    is_test: flag,
  }),
  example: {
    users: [{ name: 'Ann Lee', email: 'ann@example.com', external_id: 'crm-4711' }],
    interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
  },
  reply: z.array(
    z
      .looseObject({
        name: z.string().nullable(),
        email: z.string().nullable(),
        external_id: z.string().nullable(),
        phone: z.string().nullable(),
        result: z.string().meta({ description: '`ok`, or `Error: …`', examples: ['ok'] }),
        interview_url: z
          .string()
          .optional()
          .meta({ format: 'uri', description: 'Present when `result` is `ok`.' }),
      })
      .meta({ id: 'CandidateRegistration' }),
  ),
  statuses: [409],
});
export type RegisterUsers = z.output<(typeof jobInterviewRegisterUsers)['input']>;
export type CandidateRegistration = z.input<(typeof jobInterviewRegisterUsers)['reply']>[number];
