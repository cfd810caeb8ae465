import type { Operation } from '../platform/operation/define-operation';
import { readReportScope } from './report-scope';
import { reportCatalog } from './report-catalog';
import { reportPreview } from './report-preview';
import { reportRun } from './report-run';
import { reportExport } from './report-export';
import { reportRecords } from './report-records';
import { reportCreate } from './report-create';
import { reportUpdate } from './report-update';
import { reportList } from './report-list';
import { reportGet } from './report-get';
import { reportShare } from './report-share';
import { reportArchive } from './report-archive';
import { reportScheduleOperation } from './report-schedule';
import { reportFiltersSave } from './report-filters-save';

const operations: readonly Operation[] = [
  reportCatalog,
  reportPreview,
  reportRun,
  reportExport,
  reportRecords,
  reportCreate,
  reportUpdate,
  reportList,
  reportGet,
  reportShare,
  reportArchive,
  reportScheduleOperation,
  reportFiltersSave,
];

/** The operations in the order of the API reference. An account has all of them or none. */
export const reportsOperations = operations.map((operation): Operation => ({
  ...operation,
  requireAccount: readReportScope,
}));
