import { availableUntil } from '../../../api/platform/text/available-until';
import { logoAddress } from '../../../api/platform/text/brand';
import type { ClaimedMail } from '../../../db/people/mails';
import type { MailKind } from '../../../db/people/vocabulary';
import { composeMail } from './compose';

const candidateMails = {
  candidate_invitation: 'candidate',
  next_step_invitation: 'next_step',
  retry_invitation: 'retry',
  reminder: 'reminder',
  final_reminder: 'final',
  submit_reminder: 'submit',
} as const satisfies Partial<Record<MailKind, string>>;

const isCandidates = (kind: MailKind): kind is keyof typeof candidateMails => kind in candidateMails;

/** Returns the subject and both bodies of a claimed mail. `console_url` is where team members sign in. */
export function writeMail(
  mail: ClaimedMail,
  { link, console_url }: { link: string; console_url: string },
): { subject: string; html: string; text: string } {
  const shared = {
    language: mail.platform_language_code,
    merchant_name: mail.merchant_name,
    recipient_name: mail.name,
    message_from_recruiter: mail.message_from_recruiter,
    link,
    brand: {
      accent_color: mail.accent_color,
      logo_url: mail.logo_path && new URL(logoAddress(mail.logo_path), link).href,
    },
  };
  if (mail.kind === 'team_invitation') return composeMail({ kind: 'team', data: { ...shared, console_url } });
  if (!isCandidates(mail.kind)) return composeMail({ kind: 'coaching', data: shared });
  const data = {
    ...shared,
    // Only the invitation contains the recruiter's message.
    message_from_recruiter: mail.kind === 'candidate_invitation' ? shared.message_from_recruiter : null,
    interview_name: mail.enrolment?.interview_name ?? '',
    available_till: availableUntil(mail.enrolment?.interview_available_till ?? null),
    recruiter_name: mail.enrolment?.recruiter_name ?? null,
    is_practice: mail.enrolment?.is_practice ?? false,
    minutes: mail.enrolment?.minutes ?? 0,
    privacy_url: new URL(
      `/interview/privacy/${mail.merchant_id}/?language=${mail.platform_language_code}${mail.enrolment?.is_practice ? '&practice=true' : ''}`,
      link,
    ).href,
  };
  return composeMail({ kind: candidateMails[mail.kind], data });
}
