import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { challengeName, challengeText } from './portal-challenge';
import type { StoredSettings } from '../../db/account/merchant-settings';
import { actButton, badge, facts, faultBox, panel, table } from '../platform/site/elements';
import type { Visit } from '../platform/site/visitor';

type Domain = Pick<StoredSettings, 'portal_domain' | 'verified_domain' | 'portal_domain_challenge'>;

/** Whether the domain is one of the reserved ones or below one of them. */
export const isReserved = (domain: string, reserved: readonly string[]): boolean =>
  reserved.some((own) => domain === own || domain.endsWith(`.${own}`));

/** Whether the domain is served, for a reader and for the facts above the record. */
export const portalDomainState = ({ portal_domain: claim, verified_domain: served }: Domain): Html | string =>
  claim === null
    ? 'none'
    : html`${claim} ${served === claim ? badge('verified', 'good') : badge('not verified', 'warn')}`;

/** The DNS record that proves the portal domain, and the button that looks for it. Nothing without a domain. */
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
