import { availableUntil } from '../../api/contracts/interview-fields';
import type { ClaimedMail, MailKind } from '../../db/mails';
import { candidateInvitation } from './candidate-invitation';
import { coachingInvitation } from './coaching-invitation';
import { finalReminder } from './final-reminder';
import { reminder } from './reminder';
import { teamInvitation } from './team-invitation';

const candidateMails = { candidate_invitation: candidateInvitation, reminder, final_reminder: finalReminder };
const accountMails = { team_invitation: teamInvitation, coaching_invitation: coachingInvitation };

const isCandidates = (kind: MailKind): kind is keyof typeof candidateMails => kind in candidateMails;

/** The subject and both bodies of a claimed mail. */
export function writeMail(mail: ClaimedMail, link: string): { subject: string; html: string; text: string } {
  const shared = {
    language: mail.platform_language_code,
    merchant_name: mail.merchant_name,
    recipient_name: mail.name,
    message_from_recruiter: mail.message_from_recruiter,
    link,
  };
  if (!isCandidates(mail.kind)) return accountMails[mail.kind](shared);
  return candidateMails[mail.kind]({
    ...shared,
    // Said once, with the invitation.
    message_from_recruiter: mail.kind === 'candidate_invitation' ? shared.message_from_recruiter : null,
    interview_name: mail.enrolment?.interview_name ?? '',
    available_till: availableUntil(mail.enrolment?.interview_available_till ?? null),
    recruiter_name: mail.enrolment?.recruiter_name ?? null,
  });
}
