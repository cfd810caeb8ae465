import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { catalogueTagCreate } from './catalogue-tag-create.contract';
import { maxSubDirectories } from './directory-fields';
import { recordAct } from '../../db/platform/audit';
import {
  appendToParent,
  findDirectoryOwner,
  insertDirectory,
  lockCatalogue,
} from '../../db/catalogue/catalogue';
import type { DirectoryOwner } from '../../db/catalogue/catalogue';
import type { Transaction } from '../../db/platform/scope';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { judgeEntries, judgeParent, refusingPublic } from './directory-of';

type Contract = typeof catalogueTagCreate;

/** Stores the directory and appends it to its parent, both or neither (docs/catalogue.md#the-tree). */
export const createDirectory: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { id, parent_tag, ...fields }, write }) =>
  write(async (trx) => {
    const isAdmin = (await trx.scope()).role === 'admin';
    // Whose a directory is never changes.
    const parent = parent_tag === undefined ? undefined : await trx.maybeOne(findDirectoryOwner(parent_tag));
    const isPublic = fields.visibility === 'public';
    await trx.rows(
      lockCatalogue({
        isPlatforms: isAdmin && (isPublic || parent?.merchant_id === null),
        isMerchants: !isPublic || typeof parent?.merchant_id === 'string',
        newId: id,
      }),
    );
    const {
      description = null,
      cover_image_url = null,
      coach_plan = null,
      content_md = null,
      ...required
    } = fields;
    const columns = { ...required, description, cover_image_url, coach_plan, content_md };
    // First: a policy's refusal is told before what is wrong with the parent.
    const made = await refusingPublic(trx.maybeOne(insertDirectory(id, columns)));
    if (!made || made.is_taken)
      throw new ApiError('id_taken', 'There is a directory with this id: choose another id', 'id');
    if (parent_tag !== undefined) await putUnder(trx, parent_tag, parent, id, isAdmin);
    const { merchant_id: merchantId } = made;
    await judgeEntries(trx, { merchantId, id, tags_sub: fields.tags_sub }, fields.tags_sub);
    // Other directories lead back to a merchant's parent than to what is platform-wide.
    if (parent_tag !== undefined && parent && merchantId !== parent.merchant_id)
      await judgeParent(trx, { merchantId: parent.merchant_id, id: parent_tag }, id);
    await trx.count(
      recordAct(
        'catalogue-tag-create',
        id,
        { parent_tag, is_platform_wide: merchantId === null },
        merchantId === null,
      ),
    );
    return {
      id,
      merchant_id: made.merchant_id,
      ...(parent_tag === undefined ? {} : { parent_tag }),
      catalogue_url: made.catalogue_url,
    };
  });

async function putUnder(
  trx: Transaction,
  parentId: string,
  parent: DirectoryOwner | undefined,
  id: string,
  isAdmin: boolean,
): Promise<void> {
  if (!parent)
    throw new ApiError('unknown_id', 'parent_tag must be the id of a directory that is there', 'parent_tag');
  if (parent.merchant_id === null && !isAdmin)
    throw new ApiError(
      'admins_only',
      'parent_tag is a platform-wide directory, which platform admins alone may add to',
      'parent_tag',
    );
  if ((await trx.count(appendToParent(parentId, id, maxSubDirectories))) === 0)
    throw new ApiError(
      'too_long',
      `parent_tag has ${maxSubDirectories} directories, which is the most it can have: choose another`,
      'parent_tag',
    );
}
