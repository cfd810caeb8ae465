import { createHash } from 'node:crypto';
import type { VNode } from 'preact';
import { setLogo } from '../../db/account/merchant-settings';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { PostButton, Submit } from '../platform/site/buttons';
import { Panel } from '../platform/site/elements';
import { FileField, Form } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import type { Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { logoAddress } from '../platform/text/brand';
import { readLogo } from './read-logo';

const path = '/settings/logo';

/** The panel in which owners see, change and remove the logo. */
export const LogoPanel = ({ logo, error }: { logo: string | null; error?: ApiError | undefined }): VNode => (
  <Panel title="Logo">
    {logo !== null && (
      <p>
        <img class="logo" src={logoAddress(logo)} alt="Your logo" />
      </p>
    )}
    <Form path={path} names={['logo']} error={error} isUpload>
      <FileField
        name="logo"
        label="Picture"
        accept="image/png,image/jpeg,image/webp"
        hint="PNG, JPEG or WebP, at most 512 KB. It is on the pages of candidates and learners, in their mails and in PDFs of results."
      />
      <Submit isPlain>Save logo</Submit>
    </Form>
    {logo !== null && <PostButton path={`${path}/remove`} label="Remove logo" />}
  </Panel>
);

/** Adds the actions of the panel. `render` returns the settings page with an error about the logo. */
export function addLogoActions(
  site: Site,
  { database, objects }: ConsoleDeps,
  render: (visit: ConsoleVisit, error: ApiError) => Promise<Page>,
): void {
  /** Stores the path of the logo and deletes the file of the one before. */
  const change = async (visit: ConsoleVisit, to: string | null): Promise<void> => {
    const old = await database.write(visit.caller(ownerRoles), async (trx) => {
      const { old_path } = await trx.one(setLogo(to));
      if (old_path !== to)
        await trx.count(
          recordAuditEntry('merchant-settings-update', visit.merchant.id, {
            logo: to === null ? 'removed' : 'changed',
          }),
        );
      return old_path;
    });
    if (old !== null && old !== to) await objects.delete(old);
  };

  site.post(
    'console-logo',
    path,
    async (visit, { files }) => {
      try {
        const file = files['logo'];
        if (!file) throw new ApiError('required', 'Choose a picture first.', 'logo');
        const picture = await readLogo(file.content);
        const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32);
        const stored = `${visit.merchant.id}/logo/${hash}.png`;
        await objects.put(stored, picture);
        await change(visit, stored);
      } catch (error) {
        if (error instanceof ApiError) return render(visit, error);
        throw error;
      }
      return { goTo: '/settings', flash: 'Logo saved.' };
    },
    { roles: ownerRoles, isUpload: true },
  );

  site.post(
    'console-logo-remove',
    `${path}/remove`,
    async (visit) => {
      await change(visit, null);
      return { goTo: '/settings', flash: 'Logo removed.' };
    },
    { roles: ownerRoles },
  );
}
