import type { PortalOperation } from '../platform/portal/define-portal-operation';
import { attemptBegin } from './operations/attempt-begin';
import { attemptGet } from './operations/attempt-get';
import { turnAnswer } from './operations/turn-answer';

/** Every operation for candidates. The portal's router, its OpenAPI document and tests use this list. */
export const portalOperationList: readonly PortalOperation[] = [attemptBegin, attemptGet, turnAnswer];
