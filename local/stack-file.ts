import { makeServiceKey, openPersonSession, withAdminConnection } from '../db/platform/credentials';
import { knowledgeBases, merchants, people } from './seed/accounts';
import { publicDirectory, startDirectory } from './seed/catalogue';
import { interviewId, positionIds } from './seed/fixed-id';
import { resultId } from './seed/results';
import { platformTemplateIds } from './seed/templates';

export type StackDescription = Awaited<ReturnType<typeof describeStack>>;

const environment = 'production';
/** Access tokens in the stack file last 24 hours. Other access tokens last one hour. */
const tokenSeconds = 24 * 3_600;

/**
 * Returns the description of a running stack for `.local/stack.json`. Opens a new session for each token and creates
 * two new service keys, because the database has only the hashes of earlier ones.
 */
export async function describeStack(stack: {
  adminUrl: string;
  origin: string;
  portalOrigin: string;
  temporalAddress: string;
  temporalUiUrl: string;
  fakesUrl: string;
  tokenSigningKeys: string;
}) {
  return withAdminConnection(stack.adminUrl, async (client) => {
    const signing = {
      signingKeys: stack.tokenSigningKeys,
      issuer: stack.origin,
      expiresInSeconds: tokenSeconds,
    };
    const token = async (key: keyof typeof people) =>
      (await openPersonSession(client, people[key], environment, signing)).access_token;
    return {
      base_url: `${stack.origin}/v1`,
      origin: stack.origin,
      portal_url: stack.portalOrigin,
      console_url: `${stack.origin}/console`,
      temporal_address: stack.temporalAddress,
      temporal_ui_url: stack.temporalUiUrl,
      database_url: stack.adminUrl,
      fakes_url: stack.fakesUrl,
      environment,
      merchant_name: merchants.main.name,
      merchant_id: merchants.main.id,
      other_merchant_id: merchants.other.id,
      sub_merchant_id: merchants.sub.id,
      tokens: {
        merchant_owner: await token('merchant_owner'),
        merchant: await token('merchant'),
        merchant_selection: await token('merchant_selection'),
        admin: await token('admin'),
        operator: await token('operator'),
        other_merchant_owner: await token('other_merchant_owner'),
        user: await token('user'),
      },
      service_key: await makeServiceKey(client, null, environment),
      merchant_service_key: await makeServiceKey(client, merchants.main.id, environment),
      template_ids: platformTemplateIds,
      ids: {
        active_interview: interviewId('active'),
        draft_interview: interviewId('draft'),
        position: positionIds.main,
        knowledge_base: knowledgeBases[0]?.id ?? '',
        collected_result: resultId('active', 6),
        submitted_result: resultId('active', 3),
        start_directory: startDirectory,
        public_directory: publicDirectory,
        coaching_session: interviewId('feedback'),
      },
    };
  });
}
