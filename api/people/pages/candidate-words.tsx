import type { VNode } from 'preact';
import type {
  candidateStatuses,
  MailKind,
  MailStatus,
  MessageChannel,
  MessageStatus,
} from '../../../db/people/vocabulary';
import { Badge } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';

type CandidateStatus = (typeof candidateStatuses)[number];

export const candidateWords: Record<CandidateStatus, string> = {
  registered: 'Registered',
  invited: 'Invited',
  started: 'Started',
  submitted: 'Submitted',
  decided: 'Decided',
};
const candidateTones: Record<CandidateStatus, Tone> = {
  registered: 'plain',
  invited: 'plain',
  started: 'warn',
  submitted: 'warn',
  decided: 'good',
};

export const CandidateBadge = ({ status }: { status: CandidateStatus }): VNode => (
  <Badge tone={candidateTones[status]}>{candidateWords[status]}</Badge>
);

export const mailWords: Record<MailStatus, string> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  bounced: 'Bounced',
  rejected: 'Rejected',
  failed: 'Not sent',
};
const mailTones: Record<MailStatus, Tone> = {
  queued: 'warn',
  sent: 'plain',
  delivered: 'good',
  bounced: 'bad',
  rejected: 'bad',
  failed: 'bad',
};

export const MailBadge = ({ status }: { status: MailStatus }): VNode => (
  <Badge tone={mailTones[status]}>{mailWords[status]}</Badge>
);

export const channelWords: Record<MessageChannel, string> = { sms: 'SMS', whatsapp: 'WhatsApp' };
const messageWords: Record<MessageStatus, [string, Tone]> = {
  queued: ['Queued', 'warn'],
  sent: ['Sent', 'plain'],
  delivered: ['Delivered', 'good'],
  undelivered: ['Not delivered', 'bad'],
  failed: ['Not sent', 'bad'],
};

export const MessageBadge = ({ status }: { status: MessageStatus }): VNode => (
  <Badge tone={messageWords[status][1]}>{messageWords[status][0]}</Badge>
);

/** What a mail is for, as tables and the timeline name it. */
export const kindWords: Record<MailKind, string> = {
  candidate_invitation: 'Invitation',
  next_step_invitation: 'Invitation to the next step',
  retry_invitation: 'Invitation to try again',
  reminder: 'Reminder',
  final_reminder: 'Final reminder',
  submit_reminder: 'Reminder to submit',
  team_invitation: 'Team invitation',
  coaching_invitation: 'Coaching invitation',
};
