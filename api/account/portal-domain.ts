import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { challengeName, challengeText } from './portal-challenge';
import type { StoredSettings } from '../../db/account/merchant-settings';
import { actButton, badge, facts, faultBox, panel, table } from '../platform/site/elements';
import type { Visit } from '../platform/site/visitor';

type Domain = Pick<StoredSettings, 'portal_domain' | 'verified_domain' | 'portal_domain_challenge'>;

/** Returns whether the domain is reserved or a subdomain of a reserved one. */
export const isReserved = (domain: string, reserved: readonly string[]): boolean =>
  reserved.some((own) => domain === own || domain.endsWith(`.${own}`));

/** Describes whether the domain is served. Readers see it, and so does the summary above the DNS record. */
export const portalDomainState = ({ portal_domain: claim, verified_domain: served }: Domain): Html | string =>
  claim === null
    ? 'none'
    : html`${claim} ${served === claim ? badge('verified', 'good') : badge('not verified', 'warn')}`;

/** Shows the DNS record that proves the portal domain, and the button that checks it. Null without a domain. */
export function portalDomainPanel(visit: Visit, settings: Domain, fault?: ApiError): Html | null {
  const { verified_domain: served, portal_domain: claim, portal_domain_challenge: challenge } = settings;
  if (claim === null) return null;
  const isVerified = served === claim;
  return panel(
    'Portal domain',
    html`${faultBox(fault)} ${facts([['Domain', portalDomainState(settings)]])}
    ${
      isVerified
        ? html`<p class="soft">
            Your portal is served at https://${claim}. It stays verified until you change it, or until another
            account proves that it controls this domain.
          </p>`
        : html`<p>
              Create this record with your DNS provider, then verify. Your portal is not served at ${claim}
              before.
            </p>
            ${table(
              'DNS record',
              ['Type', 'Name', 'Value'],
              [
                [
                  'TXT',
                  html`<code>${challengeName(claim)}</code>`,
                  html`<code>${challengeText(challenge)}</code>`,
                ],
              ],
            )}
            ${actButton(visit, '/settings/verify-domain', 'Verify')}`
    }`,
  );
}
