import {
  candidateStatuses,
  mailStatuses,
  messageChannels,
  messageStatuses,
} from '../../db/people/vocabulary';
import { namedEnum } from '../platform/operation/named-enums';
import { text, uuid } from '../platform/operation/vocabulary';

/* The fields that the lists of candidates and invitations share. */

export const candidateStatus = namedEnum(
  'CandidateStatus',
  candidateStatuses,
  'How far a candidate is at the interview that the candidate is to take now.',
  {
    registered: 'The candidate has a link and was not invited by email.',
    invited: 'An invitation was sent or queued, and no attempt has begun.',
    started: 'An attempt has begun and is not submitted.',
    submitted: 'The attempt is submitted, and nobody has decided.',
    decided: 'A recruiter has advanced or rejected the candidate.',
  },
);

export const mailStatus = namedEnum('MailStatus', mailStatuses, 'What became of a mail.', {
  queued: 'It waits to be sent.',
  sent: 'The mail provider has accepted it.',
  delivered: 'The mail server of the recipient has accepted it.',
  bounced: 'It was sent, and the mail server of the recipient did not accept it.',
  rejected: 'The mail provider did not accept it.',
  failed: 'It was not sent: the row failed, the mail was withdrawn, or sending failed for 24 hours.',
});

export const messageChannel = namedEnum('MessageChannel', messageChannels, 'How a message goes out.', {
  sms: 'By SMS.',
  whatsapp: 'By WhatsApp.',
});

export const messageStatus = namedEnum('MessageStatus', messageStatuses, 'What became of a message.', {
  queued: 'It waits to be sent.',
  sent: 'The message provider has accepted it.',
  delivered: 'It arrived, or was read.',
  undelivered: 'It was sent and did not arrive.',
  failed: 'It was not sent.',
});

/** A filter by an id. If the caller cannot see the object, the call is a 422. */
export const personFilter = (what: string) =>
  uuid.optional().meta({ description: `Only ${what} of this person.` });

export const textFilter = (what: string, where: string) =>
  text(200)
    .optional()
    .meta({ description: `Only ${what} whose ${where} contains this text. Case is ignored.` });
