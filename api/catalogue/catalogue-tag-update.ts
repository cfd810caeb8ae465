import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { updatableDirectoryFields } from './catalogue-tag-update.contract';
import type { catalogueTagUpdate } from './catalogue-tag-update.contract';
import { recordAct } from '../../db/platform/audit';
import {
  findDirectoryOwner,
  lockCatalogue,
  lockDirectory,
  updateDirectory,
} from '../../db/catalogue/catalogue';
import type { DirectoryColumns } from '../../db/catalogue/catalogue';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { judgeEntries, refusingPublic, unknownDirectory } from './directory-of';
import { withoutUndefined } from '../platform/operation/without-undefined';

type Contract = typeof catalogueTagUpdate;

/** Changes the fields that are sent and differ (docs/catalogue.md#the-tree). */
export const changeDirectory: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { id, tags_sub, tags_interview_set_filter, ...sent }, caller, write }) =>
  write(async (trx) => {
    const isAdmin = (await trx.scope()).role === 'admin';
    const owner = await trx.maybeOne(findDirectoryOwner(id));
    if (!owner) throw unknownDirectory(caller);
    const isPlatformWide = owner.merchant_id === null;
    if (isPlatformWide && !isAdmin)
      throw new ApiError(
        'admins_only',
        'This directory is platform-wide, platform admins alone may change it',
        'id',
      );
    if (isAdmin && sent.visibility && (sent.visibility === 'public') !== isPlatformWide)
      throw new ApiError(
        'immutable_field',
        isPlatformWide
          ? 'visibility of a platform-wide directory stays public: create another directory for a merchant'
          : 'visibility of a merchant’s directory does not become public: create another directory',
        'visibility',
      );
    if (tags_sub !== undefined)
      await trx.rows(
        lockCatalogue({ isPlatforms: isPlatformWide, isMerchants: !isPlatformWide, newId: null }),
      );
    const before = await trx.maybeOne(lockDirectory(id));
    if (!before) throw unknownDirectory(caller);

    const fields: Partial<DirectoryColumns> = withoutUndefined({
      ...sent,
      // null empties a list.
      ...(tags_sub === undefined ? {} : { tags_sub: tags_sub ?? [] }),
      ...(tags_interview_set_filter === undefined
        ? {}
        : { tags_interview_set_filter: tags_interview_set_filter ?? [] }),
    });
    const updated_fields = updatableDirectoryFields.filter(
      (field) => field in fields && !isDeepStrictEqual(fields[field], before[field]),
    );
    const changes: Partial<DirectoryColumns> = Object.fromEntries(
      updated_fields.map((field) => [field, fields[field]]),
    );
    if (updated_fields.length > 0) await refusingPublic(trx.count(updateDirectory(id, changes)));
    if (changes.tags_sub) {
      const known = new Set(before.tags_sub);
      const added = changes.tags_sub.filter((entry) => !known.has(entry));
      await judgeEntries(trx, { merchantId: owner.merchant_id, id, tags_sub: changes.tags_sub }, added);
    }
    if (updated_fields.length > 0)
      await trx.count(
        recordAct(
          'catalogue-tag-update',
          id,
          { updated_fields, is_platform_wide: isPlatformWide },
          isPlatformWide,
        ),
      );
    return { id, updated_fields, catalogue_url: before.catalogue_url };
  });
