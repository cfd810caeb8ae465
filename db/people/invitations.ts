import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';

export const invitationResults = [
  'invited',
  'activated',
  'sub_merchant_added',
  'coaching_access_added',
  'skipped',
  'error',
] as const;
export type InvitationResult = (typeof invitationResults)[number];
export const invitationChannels = ['email', 'sms', 'whatsapp', 'link'] as const;

/**
 * One row of a call that invites people, stored for reports and for the list of invitations. If the row failed, the ids are
 * null.
 */
export type NewInvitation = {
  type: string;
  result: InvitationResult;
  channel: (typeof invitationChannels)[number];
  interview_id: string | null;
  position_id: string | null;
  enrolment_id: string | null;
  profile_id: string | null;
  language: string;
  is_test: boolean;
  expires_at: Date | null;
  /** The code of a row that failed, and the address that it was for. */
  code: string | null;
  email: string | null;
};

export const insertInvitations = (rows: readonly NewInvitation[]): Statement => ({
  name: 'insert_invitations',
  text: `
    insert into invitation
      (type, result, channel, interview_id, position_id, enrolment_id, profile_id, language, is_test, expires_at,
       code, email)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[],
      $9::boolean[], $10::timestamptz[], $11::text[], $12::text[])`,
  values: columnsOf(
    rows,
    'type',
    'result',
    'channel',
    'interview_id',
    'position_id',
    'enrolment_id',
    'profile_id',
    'language',
    'is_test',
    'expires_at',
    'code',
    'email',
  ),
});

/** Deletes the addresses of failed rows that are older than 30 days. */
export const deleteOldFailedAddresses: Statement = {
  text: `update invitation set email = null where email is not null and invited_at < now() - interval '30 days'`,
};
