import type { ListedInvitation } from '../../db/people/invitation-list';
import type { MessageError } from '../../db/people/messages';

/** Why a message did not arrive. The numbers are errors of Twilio. */
const failures: Record<MessageError, string> & Readonly<Record<string, string>> = {
  invalid_number: 'The phone number is not a valid number with its country code.',
  opted_out: 'The person answered STOP, and gets no messages until the answer START.',
  daily_limit: 'This number got 3 messages in the last 24 hours.',
  test_limit: 'Outside production, 20 messages were sent in the last 24 hours.',
  withdrawn: 'Withdrawn before it was sent, like the mail or the link, or no longer needed.',
  unknown_outcome: 'It is not known whether the message was sent. It was not sent again.',
  gave_up: 'The message could not be sent for 24 hours.',
  not_configured: 'This deployment sends no messages any more.',
  21211: 'The message provider does not accept the phone number.',
  21408: 'The message provider may not send to this country.',
  21610: 'The person answered STOP, and gets no messages until the answer START.',
  21612: 'The message provider cannot reach this number.',
  21614: 'The phone number is no mobile number.',
  30003: 'The phone is switched off or out of reach.',
  30004: 'The recipient or the network blocks messages from this number.',
  30005: 'The number does not exist or is no longer in use.',
  30006: 'The number is a landline, or its network cannot be reached.',
  30007: 'The network filtered the message.',
  63003: 'The number has no account at WhatsApp.',
  63016: 'WhatsApp accepts only approved templates for this person.',
  63024: 'The number has no account at WhatsApp.',
};

/** Says why a message did not arrive, or returns null if it may have. */
export function messageErrorOf({ message_status, message_failure }: ListedInvitation): string | null {
  if (message_status !== 'undelivered' && message_status !== 'failed') return null;
  if (message_failure === null) return 'The message provider gave no reason.';
  return failures[message_failure] ?? `The message provider reported the error ${message_failure}.`;
}

/** Returns what the provider charges for a message, or null if that is not known. */
export const messageCostOf = ({ message_price: amount, message_price_unit: currency }: ListedInvitation) =>
  amount === null || currency === null ? null : { amount, currency };
