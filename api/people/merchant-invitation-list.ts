import { z } from 'zod';
import { findInvitations, listInvitations } from '../../db/people/invitation-list';
import type { ListedInvitation } from '../../db/people/invitation-list';
import { mailKinds } from '../../db/people/vocabulary';
import type { Environment } from '../../db/platform/vocabulary';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { namedEnum } from '../platform/operation/named-enums';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { cappedTotalSentence, maxCountedEntries, readers, timestamp } from '../platform/operation/vocabulary';
import { mailErrorOf, invitationResultText } from './invitation-words';
import { unknownPerson } from './merchant-candidate-list';
import { messageCostOf, messageErrorOf } from './message-states';
import { mailStatus, messageChannel, messageStatus, personFilter, textFilter } from './people-fields';
import { invitationType } from './user-rows';

const maybe = (description: string) => z.string().nullable().meta({ description });

const mailKind = namedEnum('MailKind', mailKinds, 'What a mail is for.', {
  candidate_invitation: 'It invites a candidate.',
  next_step_invitation: 'It tells a candidate who was advanced, and invites to the next step.',
  retry_invitation:
    'It tells a candidate whose result was reopened, or whose attempt failed, that another attempt is possible.',
  reminder: 'It reminds a candidate who has not begun.',
  final_reminder: 'It reminds a candidate who has not begun, for the last time.',
  submit_reminder: 'It reminds a candidate who has answered and not submitted.',
  team_invitation: 'It invites to the dashboard.',
  coaching_invitation: 'It invites to the coaching portal.',
});

const invitation = z
  .object({
    id: z.string().meta({ description: 'Id of the mail, or of the row if it sent no mail.' }),
    kind: mailKind.nullable().meta({ description: 'What the mail is for. Null if the row sent no mail.' }),
    profile_id: maybe('Id of the person. Null if the row failed.'),
    email: maybe(
      'The address. Null for a failed row after 30 days, for people who left the team, and, if a service key asks, for team members and learners.',
    ),
    name: maybe('Name of the person.'),
    type: invitationType.nullable().meta({ description: 'What the person was invited as.' }),
    interview_id: maybe('The interview or position of a candidate.'),
    interview_name: maybe('Name of the interview or position.'),
    result: maybe(
      'The outcome of the row, as in `invite-users`, with `Error: ` and what the code of the error means. Null for a reminder.',
    ),
    mail_status: mailStatus
      .nullable()
      .meta({ description: 'What became of the mail. Null if the row needed none.' }),
    mail_error: maybe('Why the mail did not arrive, in a sentence. Null if it may have.'),
    message_channel: messageChannel.nullable().meta({
      description: 'How the message that accompanies the mail goes out. Null if there is none.',
    }),
    message_status: messageStatus
      .nullable()
      .meta({ description: 'What became of the message. Null if there is none.' }),
    message_error: maybe('Why the message did not arrive, in a sentence. Null if it may have.'),
    message_cost: z
      .object({
        amount: z.number().meta({ description: 'The amount, such as 0.0075.' }),
        currency: z.string().meta({ description: 'The currency, such as `USD`.' }),
      })
      .nullable()
      .meta({ description: 'What the message provider charges for the message. Null until it is known.' }),
    sent_at: timestamp.nullable().meta({ description: 'When the mail provider accepted the mail.' }),
    created_at: timestamp.meta({ description: 'When the person was invited, or the mail was queued.' }),
  })
  .meta({ id: 'MerchantInvitation', description: 'An invitation or reminder.' });
export type MerchantInvitation = z.output<typeof invitation>;

export const merchantInvitationList = defineOperation({
  name: 'merchant-invitation-list',
  method: 'GET',
  tag: 'People',
  summary: 'List invitations and reminders with the state of their mails',
  description: `Lists the mails that invite and remind people, and rows of \`invite-users\` and \`job-interview-register-users\` (with \`send_email\`) that sent
none, of the merchant in the credential's environment, newest first. All filters must match.

\`mail_status\` failed lists what never was sent: rows that failed, for example because no invitations were left, mails that were withdrawn, and mails
that could not be sent for 24 hours. \`mail_error\` says why. Rows without a readable address are not kept.

A mail can be accompanied by a message by SMS or WhatsApp (\`candidate_notification_channel\` of the interview or position). Its state and its cost are
those of \`message_status\`, \`message_error\` and \`message_cost\`.

${cappedTotalSentence}`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    type: invitationType.optional().meta({ description: 'Only people who were invited as this.' }),
    mail_status: mailStatus.optional().meta({ description: 'Only mails with this status.' }),
    profile_id: personFilter('the invitations and reminders'),
    filter_text: textFilter('entries', 'name, email or external_id'),
    ...paging,
  }),
  example: { mail_status: 'bounced' },
  reply: pageOf(invitation),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618c4',
        kind: 'candidate_invitation',
        profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b2',
        email: 'ann@example.com',
        name: 'Ann Lee',
        type: 'candidate',
        interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        interview_name: 'Backend engineer',
        result: 'Invited',
        mail_status: 'bounced',
        mail_error: "The recipient's mail server did not accept the mail: 550 5.1.1 user unknown",
        message_channel: 'sms',
        message_status: 'delivered',
        message_error: null,
        message_cost: { amount: 0.0075, currency: 'USD' },
        sent_at: '2026-01-15T09:30:02.000Z',
        created_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists mails, one page per round trip (docs/people.md#lists). */
  async handle({ input, caller }, { database, seal }) {
    const { place, reply } = openListPage(seal, 'merchant-invitation-list', input);
    const rows = await database.query(
      caller,
      listInvitations({ ...input, place, counted: maxCountedEntries }),
    );
    const { total = 0, has_more = false, profile_known } = rows[0] ?? {};
    if (!profile_known) throw unknownPerson();
    const data = rows.flatMap((row) => toInvitation(row, caller.environment));
    return reply(data, total, has_more);
  },
});

/** Invitations and reminders as `GET /sync` returns them. */
export const mirroredInvitations = defineMirrored({
  body: invitation,
  serviceKeys: true,
  async read(trx, ids, { caller }) {
    const rows = await trx.rows(findInvitations(ids));
    return new Map(
      rows.flatMap((row) => toInvitation(row, caller.environment)).map((each) => [each.id, each]),
    );
  },
});

const toInvitation = (row: ListedInvitation, environment: Environment) =>
  row.id === null
    ? []
    : [
        {
          ...row,
          id: row.id,
          result: invitationResultText(row),
          mail_error: mailErrorOf(row, environment),
          message_error: messageErrorOf(row),
          message_cost: messageCostOf(row),
        },
      ];
