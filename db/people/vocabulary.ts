/* The fixed values of lists of candidates and mails. */

/** How far a candidate is at the interview that is to be taken now (`enrolment.status`). */
export const candidateStatuses = ['registered', 'invited', 'started', 'submitted', 'decided'] as const;

/** What became of a mail: the column `status`, which Postgres computes from the others. */
export const mailStatuses = ['queued', 'sent', 'delivered', 'bounced', 'rejected', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** What became of a message by SMS or WhatsApp, as callers see it. While it is being sent, it counts as queued. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];
export const messageChannels = ['sms', 'whatsapp'] as const;
export type MessageChannel = (typeof messageChannels)[number];

/** What people can be invited as. */
export const invitationTypes = [
  'merchant_owner',
  'merchant',
  'merchant_selection',
  'user',
  'mentor',
  'candidate',
] as const;
export type InvitationType = (typeof invitationTypes)[number];

export const mailKinds = [
  'candidate_invitation',
  'next_step_invitation',
  'retry_invitation',
  'reminder',
  'final_reminder',
  'submit_reminder',
  'team_invitation',
  'coaching_invitation',
] as const;
export type MailKind = (typeof mailKinds)[number];
