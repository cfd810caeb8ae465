import type { Operation } from '../platform/operation/define-operation';
import { merchantAuditList } from './merchant-audit-list';
import { merchantCreate } from './merchant-create';
import { merchantCreditAdd } from './merchant-credit-add';
import { merchantCreditList } from './merchant-credit-list';
import { merchantList } from './merchant-list';
import { merchantStatus } from './merchant-status';
import { merchantUpdate } from './merchant-update';

/** The operations in the order of the API reference. */
export const accountOperations: readonly Operation[] = [
  merchantStatus,
  merchantCreditList,
  merchantAuditList,
  merchantCreate,
  merchantUpdate,
  merchantList,
  merchantCreditAdd,
];
