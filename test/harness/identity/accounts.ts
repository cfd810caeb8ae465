import { makeServiceKey, openPersonSession, withAdminConnection } from '../../../db/platform/credentials';
import type { SessionTokens } from '../../../db/platform/credentials';
import type { Environment } from '../../../db/platform/vocabulary';
import { people } from '../../../local/seed/accounts';
import type { PersonKey } from '../../../local/seed/accounts';
import type { Operations } from '../platform/operations';

/** Opens a session for one of the people of the seed, as a sign-in does. */
export const signIn = (
  platform: Omit<Operations, 'sealingKeys'>,
  person: PersonKey,
  environment: Environment = 'production',
): Promise<SessionTokens> =>
  withAdminConnection(platform.database.adminUrl, (client) =>
    openPersonSession(client, people[person], environment, {
      signingKeys: platform.signingKeysFile,
      issuer: platform.stack.origin,
    }),
  );

/** Creates a service key of the merchant, or of the platform if `merchantId` is null. */
export const makeKey = (
  platform: Omit<Operations, 'sealingKeys'>,
  merchantId: string | null,
  environment: Environment = 'production',
): Promise<string> =>
  withAdminConnection(platform.database.adminUrl, (client) =>
    makeServiceKey(client, merchantId, environment),
  );
