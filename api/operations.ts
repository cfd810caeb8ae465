import { accountOperations } from './account/operations';
import { catalogueOperations } from './catalogue/operations';
import { identityOperations } from './identity/operations';
import { interviewsOperations } from './interviews/operations';
import { peopleOperations } from './people/operations';
import type { Operation } from './platform/operation/define-operation';
import { reportsOperations } from './reports/operations';
import { resultsOperations } from './results/operations';
import { supportOperations } from './support/operations';
import { syncOperations } from './sync/operations';
import { webhooksOperations } from './webhooks/operations';

/** Every operation of the API. The router, the OpenAPI document and tests of all operations use this list. */
export const operations: readonly Operation[] = [
  ...interviewsOperations,
  ...peopleOperations,
  ...identityOperations,
  ...resultsOperations,
  ...accountOperations,
  ...catalogueOperations,
  ...reportsOperations,
  ...supportOperations,
  ...webhooksOperations,
  ...syncOperations,
];
