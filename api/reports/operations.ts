import type { Operation } from '../platform/operation/define-operation';
import { reportArchive } from './report-archive';
import { reportCatalog } from './report-catalog';
import { reportCreate } from './report-create';
import { reportExport } from './report-export';
import { reportFiltersSave } from './report-filters-save';
import { reportGet } from './report-get';
import { reportList } from './report-list';
import { reportPreview } from './report-preview';
import { reportRecords } from './report-records';
import { reportRun } from './report-run';
import { reportScheduleOperation } from './report-schedule';
import { readReportScope } from './report-scope';
import { reportShare } from './report-share';
import { reportUpdate } from './report-update';

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
