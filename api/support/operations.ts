import type { Operation } from '../platform/operation/define-operation';
import { merchantFeatureRequest } from './merchant-feature-request';
import { merchantTechnicalIssue } from './merchant-technical-issue';

/** The operations in the order of the API reference. */
export const supportOperations: readonly Operation[] = [merchantTechnicalIssue, merchantFeatureRequest];
