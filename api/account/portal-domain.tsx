import type { VNode } from 'preact';
import type { StoredSettings } from '../../db/account/merchant-settings';
import type { ApiError } from '../platform/operation/api-error';
import { PostButton } from '../platform/site/buttons';
import { Badge, CopyButton, Facts, Panel, Table } from '../platform/site/elements';
import { ErrorBox } from '../platform/site/form';
import { challengeName, challengeText } from './portal-challenge';

type Domain = Pick<StoredSettings, 'portal_domain' | 'verified_domain' | 'portal_domain_challenge'>;

/** Returns true if the domain is reserved or is a subdomain of a reserved one. */
export const isReserved = (domain: string, reserved: readonly string[]): boolean =>
  reserved.some((own) => domain === own || domain.endsWith(`.${own}`));

/** Shows the domain and whether its ownership is verified. */
export const PortalDomain = ({ portal_domain: claim, verified_domain: served }: Domain): VNode =>
  claim === null ? (
    <>None</>
  ) : (
    <>
      {claim}{' '}
      {served === claim ? <Badge tone="good">Verified</Badge> : <Badge tone="warn">Not verified</Badge>}
    </>
  );

/**
 * Shows the DNS record that proves ownership of the portal domain, and the button that checks it. Returns null if there
 * is no domain.
 */
export function PortalDomainPanel({
  settings,
  error,
}: {
  settings: Domain;
  error?: ApiError | undefined;
}): VNode | null {
  const { verified_domain: served, portal_domain: claim, portal_domain_challenge: challenge } = settings;
  if (claim === null) return null;
  return (
    <Panel title="Portal domain">
      <ErrorBox error={error} />
      <Facts entries={[['Domain', <PortalDomain {...settings} />]]} />
      {served === claim ? (
        <p class="soft">
          Your portal is live at https://{claim}. The domain stays verified until you change it, or until
          another account proves that it controls it.
        </p>
      ) : (
        <>
          <p>
            Add this record at your DNS provider, then verify. Until then, your portal is not live at {claim}.
          </p>
          <Table
            caption="DNS record"
            columns={['Type', 'Name', 'Value']}
            rows={[
              [
                'TXT',
                <code>{challengeName(claim)}</code>,
                <div class="copyable">
                  <code>{challengeText(challenge)}</code>
                  <CopyButton what="Value" />
                </div>,
              ],
            ]}
          />
          <PostButton path="/settings/verify-domain" label="Verify" />
        </>
      )}
    </Panel>
  );
}
