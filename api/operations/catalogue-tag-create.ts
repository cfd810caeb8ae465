import type { z } from 'zod';
import { ApiError } from '../contracts/api-error';
import type { catalogueTagCreate } from '../contracts/catalogue-tag-create';
import { maxSubDirectories } from '../contracts/directory-fields';
import { appendToParent, findDirectoryOwner, insertDirectory, lockCatalogue } from '../../db/catalogue';
import type { DirectoryOwner, NewDirectory } from '../../db/catalogue';
import type { Transaction } from '../../db/scope';
import type { Handler } from '../http/bind-operation';
import type { OperationDeps } from './deps';
import { judgeCycle, refusingPublic } from './directory-of';

type Contract = typeof catalogueTagCreate;

/** Stores the directory and puts it under its parent, both or neither (spec/decisions.md section 7). */
export const createDirectory: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { id, parent_tag, ...fields }, write }) =>
  write(async (trx) => {
    const isAdmin = (await trx.scope)?.role === 'admin';
    await trx.rows(lockCatalogue(isAdmin && (fields.visibility === 'public' || parent_tag !== undefined)));
    const {
      description = null,
      cover_image_url = null,
      coach_plan = null,
      content_md = null,
      ...required
    } = fields;
    const columns = { ...required, description, cover_image_url, coach_plan, content_md };
    // First: a policy's refusal is told before what is wrong with the parent.
    const [made] = await refusingPublic(trx.rows<NewDirectory>(insertDirectory(id, columns)));
    if (!made || made.is_taken)
      throw new ApiError(409, 'There is a directory with this id: choose another id', 'id');
    if (parent_tag !== undefined) await putUnder(trx, parent_tag, id, isAdmin);
    await judgeCycle(trx, fields.tags_sub, made.merchant_id, id);
    return {
      id,
      merchant_id: made.merchant_id,
      ...(parent_tag === undefined ? {} : { parent_tag }),
      catalogue_url: made.catalogue_url,
    };
  });

async function putUnder(trx: Transaction, parentId: string, id: string, isAdmin: boolean): Promise<void> {
  const [parent] = await trx.rows<DirectoryOwner>(findDirectoryOwner(parentId));
  if (!parent)
    throw new ApiError(422, 'parent_tag must be the id of a directory that is there', 'parent_tag');
  const isPlatformWide = parent.merchant_id === null;
  if (isPlatformWide && !isAdmin)
    throw new ApiError(
      403,
      'parent_tag is a platform-wide directory, which platform admins alone may add to',
      'parent_tag',
    );
  if ((await trx.count(appendToParent(parentId, id, maxSubDirectories))) === 0)
    throw new ApiError(
      422,
      `parent_tag has ${maxSubDirectories} directories, which is the most it can have: choose another`,
      'parent_tag',
    );
  // Of another merchant too the id may be known, and lead to this parent.
  if (isPlatformWide) await judgeParent(trx, parentId, id);
}

async function judgeParent(trx: Transaction, parentId: string, id: string): Promise<void> {
  await judgeCycle(trx, [id], null, parentId).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(422, 'parent_tag is a directory that this id leads to', 'parent_tag');
  });
}
