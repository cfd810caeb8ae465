import type { Operation } from '../platform/operation/define-operation';
import { merchantStatus } from './merchant-status';

/** The operations in the order of the API reference. */
export const accountOperations: readonly Operation[] = [merchantStatus];
