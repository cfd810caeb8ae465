import { Context } from '@temporalio/activity';
import type { Database } from '../../db/platform/database';
import { mintSignInLink } from '../../db/identity/sign-in-links';
import { generateSignInToken, hashSecret } from '../../db/platform/tokens';
import { signInMail } from './sign-in-mail';
import type { SendOneMail } from '../platform/one-mail';

export type SignInActivities = ReturnType<typeof createSignInActivities>;

export type SignInDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  sendOneMail: SendOneMail;
  /** Where the console is. */
  publicOrigin: string;
};

/** The activity that mails a link into the console. */
export function createSignInActivities({ database, sendOneMail, publicOrigin }: SignInDeps) {
  return {
    /**
     * Makes the link's token, stores its hash and mails it. Run again it makes another one: of two mails the later one
     * works. Does nothing where the link was used or its person disabled.
     */
    sendSignInMail: async ({ sign_in_id }: { sign_in_id: string }): Promise<void> => {
      const token = generateSignInToken();
      const person = await database.writeAsWorker((trx) =>
        trx.maybeOne(mintSignInLink(sign_in_id, hashSecret(token))),
      );
      if (!person) return;
      const { name, email, merchant_id, environment } = person;
      const link = `${publicOrigin}/console/enter?${new URLSearchParams({ token }).toString()}`;
      await sendOneMail(
        {
          mail_id: sign_in_id,
          kind: 'sign_in',
          to: { email, name },
          mail: signInMail({ recipient_name: name, environment, link }),
          merchant_id,
          environment,
        },
        Context.current().cancellationSignal,
      );
    },
  };
}
