import type { Operation } from '../platform/operation/define-operation';
import { merchantTechnicalIssue } from './merchant-technical-issue';
import { merchantFeatureRequest } from './merchant-feature-request';

/** The operations in the order of the API reference. */
export const supportOperations: readonly Operation[] = [merchantTechnicalIssue, merchantFeatureRequest];
