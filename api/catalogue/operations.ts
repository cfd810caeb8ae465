import type { Operation } from '../platform/operation/define-operation';
import { catalogueTagCreate } from './catalogue-tag-create';
import { catalogueTagGet } from './catalogue-tag-get';
import { catalogueTagList } from './catalogue-tag-list';
import { catalogueTagUpdate } from './catalogue-tag-update';

/** The operations in the order of the API reference. */
export const catalogueOperations: readonly Operation[] = [
  catalogueTagCreate,
  catalogueTagList,
  catalogueTagGet,
  catalogueTagUpdate,
];
