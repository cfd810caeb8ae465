import { Context } from '@temporalio/activity';
import { setSignInToken } from '../../db/identity/sign-in-links';
import type { Database } from '../../db/platform/database';
import { generateSignInToken, hashSecret } from '../../db/platform/tokens';
import type { SendOneMail } from '../platform/one-mail';
import { composeSignInMail } from './sign-in-mail';

export type SignInActivities = ReturnType<typeof createSignInActivities>;

type SignInDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  sendOneMail: SendOneMail;
  /** The origin of the console. */
  publicOrigin: string;
};

/** The activity that mails a sign-in link for the console. */
export function createSignInActivities({ database, sendOneMail, publicOrigin }: SignInDeps) {
  return {
    /**
     * Creates the token of the link, stores its hash and mails the link. A repeated call replaces the token, so only
     * the link in the last mail works. Does nothing if the link was already used or the person is disabled.
     */
    sendSignInMail: async ({ sign_in_id }: { sign_in_id: string }): Promise<void> => {
      const token = generateSignInToken();
      const person = await database.writeAsWorker((trx) =>
        trx.maybeOne(setSignInToken(sign_in_id, hashSecret(token))),
      );
      if (!person) return;
      const { name, email, merchant_id, environment } = person;
      const link = `${publicOrigin}/console/enter?${new URLSearchParams({ token }).toString()}`;
      await sendOneMail(
        {
          mail_id: sign_in_id,
          kind: 'sign_in',
          to: { email, name },
          mail: composeSignInMail({ recipient_name: name, environment, link }),
          merchant_id,
          environment,
        },
        Context.current().cancellationSignal,
      );
    },
  };
}
