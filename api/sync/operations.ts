import type { Operation } from '../platform/operation/define-operation';
import { sync } from './sync';

/** The operations in the order of the API reference. */
export const syncOperations: readonly Operation[] = [sync];
