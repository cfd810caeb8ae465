import { log } from '@temporalio/activity';
import { failures } from '../../workflows/failures';
import { ProviderError } from '../providers/provider-error';
import type { Mailer } from '../providers/sendgrid';
import type { Mail } from './mails/layout';
import { toFailure } from './provider-failure';

/** A mail that does not belong to a batch of invitations. */
export type OneMail = {
  /** The id of the record that the mail is about. The provider's events contain it. */
  mail_id: string;
  kind: 'sign_in' | 'endpoint_paused';
  to: { email: string; name: string | null };
  mail: Mail;
  merchant_id: string | null;
  environment: string;
};
export type SendOneMail = (mail: OneMail, signal: AbortSignal) => Promise<void>;

type OneMailDeps = {
  mailer: Mailer;
  /** Called after every call to the provider, for the metrics. */
  onMail: (kind: OneMail['kind'], outcome: 'sent' | 'rejected' | 'failed') => void;
};

/**
 * Sends one mail for an activity that Temporal retries. A mail that the provider rejects is not retried
 * (`MailRefused`). If the provider asks for a pause, Temporal retries after the pause. The failures contain no data
 * from the mail.
 */
export const createOneMailSender =
  ({ mailer, onMail }: OneMailDeps): SendOneMail =>
  async ({ mail_id, kind, to, mail, merchant_id, environment }, signal) => {
    try {
      await mailer.send(
        {
          mail_id,
          kind,
          to: { email: to.email, name: to.name ?? '' },
          from_name: 'Interview platform',
          reply_to: null,
          ...mail,
          categories: [environment],
          custom_args: { environment, ...(merchant_id === null ? {} : { merchant_id }) },
        },
        signal,
      );
    } catch (error) {
      const isRejected = error instanceof ProviderError && error.kind === 'rejected';
      onMail(kind, isRejected ? 'rejected' : 'failed');
      if (!(error instanceof ProviderError)) throw error;
      if (isRejected)
        log.error('failed to send a mail that the provider rejected', { mail_id, reason: error.message });
      throw toFailure(error, isRejected ? failures.mailRefused : failures.mailProviderUnavailable);
    }
    onMail(kind, 'sent');
  };
