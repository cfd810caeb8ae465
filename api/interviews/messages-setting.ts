import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';

/** Throws 422 if a call asks for messages by SMS or WhatsApp and the deployment sends none. */
export function requireMessagesEnabled(
  { messages }: Pick<OperationDeps, 'messages'>,
  channel?: string | null,
): void {
  if (channel && !messages)
    throw new ApiError(
      'invalid_value',
      'candidate_notification_channel must be null, because this deployment sends no SMS or WhatsApp messages. Ask its operator to set up Twilio.',
      'candidate_notification_channel',
    );
}
