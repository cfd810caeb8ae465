import type { Operation } from '../platform/operation/define-operation';
import { merchantTechnicalIssue } from './merchant-technical-issue';
import { merchantFeatureRequest } from './merchant-feature-request';

/** In the order of the reference. */
export const supportOperations: readonly Operation[] = [merchantTechnicalIssue, merchantFeatureRequest];
