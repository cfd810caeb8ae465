import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { candidateRow, rowCode, rowsOf } from './user-rows';
import { uuid, withDefault, writers } from '../platform/operation/vocabulary';

/** A switch, as JSON or a form sends it. Anything else is a 422: a mistaken `is_test: 1` must not register for real. */
const flag = (effect: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false'])], 'must be true or false')
    .nullish()
    .transform((value) => value === true || value === 'true')
    .meta({
      description: `True, or the string "true", ${effect}. False, "false" and null leave it off.`,
      default: false,
      override: ({ jsonSchema }: { jsonSchema: { anyOf?: unknown } }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: ['boolean', 'string', 'null'], pattern: '^(true|false)$' });
      },
    });

const maybe = (description: string) => z.string().nullable().meta({ description });

export const jobInterviewRegisterUsers = defineOperation({
  name: 'job-interview-register-users',
  method: 'POST',
  tag: 'People',
  summary: 'Register candidates for an interview or position and get their links',
  description: `Registers candidates for an interview or a position and returns a personal link for each. The reply has one entry for each row of
\`users\`, in the same order: \`result\` is \`ok\`, or \`Error: …\` without an \`interview_url\`. Only \`email\` is required. Fields of your own in a row
come back in its entry if they are under 1 KiB each, except \`result\`, \`code\` and \`interview_url\`, which belong to the reply.

A candidate that the interview already knows, by \`external_id\` or else by e-mail (in any case), is updated; what a row leaves out stays as it was, and a new
e-mail address revokes the links sent to the old one. If two rows are about one person, the later row wins.

Candidates of a draft can be registered, but their links open only once it is active; with \`is_test\` they open at once, and the draft is compiled
again first. An interview that is archived, completed or past its end is a 422.

A link is good for one attempt. It works for 30 days, or until \`interview_available_till\`; all links of one attempt work, and all end with it. With
\`send_email\` each person also gets the link by e-mail, in the language of the interview. If the account has no invitations left, the row is
\`Error: No invitations left in this period\` and is not registered. A person gets at most five invitation e-mails of a merchant in 24 hours; further
rows have the code \`invitation_limit_reached\` and are not registered either. Outside production, such e-mails go only to test recipients and have a daily
limit (see [Environments]({origin}/docs/environments)). Reminders follow if the account has them turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  row: candidateRow,
  input: z.object({
    users: rowsOf('CandidateRow'),
    interview_id: uuid.meta({
      description: 'Id of the interview definition or position; a position enrols at its first step.',
    }),
    send_email: withDefault(z.boolean(), false).meta({
      description:
        'True also sends each person the link by e-mail, which takes one invitation of the budget.',
    }),
    hide_menu: flag("hides the menu of the candidate's page"),
    hide_iframe: flag("hides the frame around the candidate's page"),
    is_test: flag(
      'makes test links: they open a draft too, and their results cost nothing and count nowhere',
    ),
  }),
  example: {
    users: [{ name: 'Ann Lee', email: 'ann@example.com', external_id: 'crm-4711' }],
    interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
  },
  reply: z.array(
    z
      .looseObject({
        name: maybe('Name of the candidate, as it was sent.'),
        email: maybe('E-mail address, as it was sent.'),
        external_id: maybe('Your own reference, as it was sent.'),
        phone: maybe('Phone number, as it was sent.'),
        result: z.string().meta({
          description: '`ok`, or `Error: ` and a sentence that says what is wrong with the row.',
          examples: ['ok'],
        }),
        code: rowCode,
        interview_url: z.string().optional().meta({
          format: 'uri',
          description: "The candidate's personal link to the interview. Present when `result` is `ok`.",
        }),
      })
      .meta({
        id: 'CandidateRegistration',
        description: 'What became of a row; with the fields of your own that the row had.',
      }),
  ),
  replyExample: [
    {
      name: 'Ann Lee',
      email: 'ann@example.com',
      external_id: 'crm-4711',
      phone: null,
      result: 'ok',
      code: 'ok',
      interview_url:
        'https://portal.example.com/interview/take/01a1fcf7-b13e-74de-bd85-c2fc187618e1/?interview_token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln',
    },
  ],
  statuses: [409],
});
export type RegisterUsers = z.output<(typeof jobInterviewRegisterUsers)['input']>;
export type CandidateRegistration = z.input<(typeof jobInterviewRegisterUsers)['reply']>[number];
