import type { Operation } from '../platform/operation/define-operation';
import { merchantStatus } from './merchant-status';

/** In the order of the reference. */
export const accountOperations: readonly Operation[] = [merchantStatus];
