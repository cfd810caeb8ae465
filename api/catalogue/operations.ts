import type { Operation } from '../platform/operation/define-operation';
import { catalogueTagCreate } from './catalogue-tag-create';
import { catalogueTagList } from './catalogue-tag-list';
import { catalogueTagGet } from './catalogue-tag-get';
import { catalogueTagUpdate } from './catalogue-tag-update';

/** In the order of the reference. */
export const catalogueOperations: readonly Operation[] = [
  catalogueTagCreate,
  catalogueTagList,
  catalogueTagGet,
  catalogueTagUpdate,
];
