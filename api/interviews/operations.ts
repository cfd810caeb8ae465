import type { Operation } from '../platform/operation/define-operation';
import { interviewTemplateList } from './interview-template-list';
import { jobInterviewCreate } from './job-interview-create';
import { jobInterviewCreateFromArray } from './job-interview-create-from-array';
import { jobInterviewGet } from './job-interview-get';
import { jobInterviewList } from './job-interview-list';
import { jobInterviewRenderVideos } from './job-interview-render-videos';
import { jobInterviewSetState } from './job-interview-set-state';
import { jobInterviewUpdate } from './job-interview-update';
import { knowledgeBaseCreate } from './knowledge-base-create';
import { knowledgeBaseGet } from './knowledge-base-get';
import { knowledgeBaseList } from './knowledge-base-list';
import { knowledgeBaseUpdate } from './knowledge-base-update';
import { positionCreate } from './position-create';
import { positionUpdateSteps } from './position-update-steps';

/** The operations in the order of the API reference. */
export const interviewsOperations: readonly Operation[] = [
  jobInterviewCreate,
  jobInterviewCreateFromArray,
  jobInterviewGet,
  jobInterviewList,
  jobInterviewUpdate,
  jobInterviewSetState,
  jobInterviewRenderVideos,
  positionCreate,
  positionUpdateSteps,
  interviewTemplateList,
  knowledgeBaseCreate,
  knowledgeBaseUpdate,
  knowledgeBaseGet,
  knowledgeBaseList,
];
