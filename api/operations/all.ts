import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { catalogueTagCreate } from '../contracts/catalogue-tag-create';
import { catalogueTagGet } from '../contracts/catalogue-tag-get';
import { catalogueTagList } from '../contracts/catalogue-tag-list';
import { catalogueTagUpdate } from '../contracts/catalogue-tag-update';
import { interviewTemplateList } from '../contracts/interview-template-list';
import { jobInterviewCreate } from '../contracts/job-interview-create';
import { jobInterviewCreateFromArray } from '../contracts/job-interview-create-from-array';
import { jobInterviewDetails } from '../contracts/job-interview-details';
import { jobInterviewGet } from '../contracts/job-interview-get';
import { inviteUsers } from '../contracts/invite-users';
import { jobInterviewRegisterUsers } from '../contracts/job-interview-register-users';
import { jobInterviewResultRequestAnotherAttempt } from '../contracts/job-interview-result-request-another-attempt';
import { jobInterviewResultUpdate } from '../contracts/job-interview-result-update';
import { jobInterviewSetState } from '../contracts/job-interview-set-state';
import { jobInterviewUpdate } from '../contracts/job-interview-update';
import { merchantFeatureRequest } from '../contracts/merchant-feature-request';
import { merchantResultList } from '../contracts/merchant-result-list';
import { merchantStatus } from '../contracts/merchant-status';
import { merchantTechnicalIssue } from '../contracts/merchant-technical-issue';
import type { Operation } from '../contracts/operation';
import { teamMemberList } from '../contracts/team-member-list';
import { teamMemberUpdate } from '../contracts/team-member-update';
import { webhookEndpointCreate } from '../contracts/webhook-endpoint-create';
import { webhookEndpointUpdate } from '../contracts/webhook-endpoint-update';
import { webhookEndpointList } from '../contracts/webhook-endpoint-list';
import { webhookEndpointGet } from '../contracts/webhook-endpoint-get';
import { webhookEndpointDelete } from '../contracts/webhook-endpoint-delete';
import { webhookEndpointPause } from '../contracts/webhook-endpoint-pause';
import { webhookEndpointResume } from '../contracts/webhook-endpoint-resume';
import { webhookEndpointRotateSecret } from '../contracts/webhook-endpoint-rotate-secret';
import { webhookEndpointTest } from '../contracts/webhook-endpoint-test';
import { webhookDeliveryList } from '../contracts/webhook-delivery-list';
import { webhookDeliveryGet } from '../contracts/webhook-delivery-get';
import { webhookDeliveryRetry } from '../contracts/webhook-delivery-retry';
import { webhookDeliveryReplay } from '../contracts/webhook-delivery-replay';
import { webhookReplayGet } from '../contracts/webhook-replay-get';
import { webhookReplayCancel } from '../contracts/webhook-replay-cancel';
import { bindOperation } from '../http/bind-operation';
import type { Handler } from '../http/bind-operation';
import type { OperationDeps } from './deps';
import { createDirectory } from './catalogue-tag-create';
import { getDirectory } from './catalogue-tag-get';
import { listCatalogue } from './catalogue-tag-list';
import { changeDirectory } from './catalogue-tag-update';
import { listInterviewTemplates } from './interview-template-list';
import { createInterviewWithAi } from './job-interview-create';
import { createInterviewFromArray } from './job-interview-create-from-array';
import { getResultDetails } from './job-interview-details';
import { getInterviewDefinition } from './job-interview-get';
import { inviteUsersByMail } from './invite-users';
import { requestAnotherAttempt } from './job-interview-result-request-another-attempt';
import { updateResult } from './job-interview-result-update';
import { registerUsers } from './job-interview-register-users';
import { setInterviewState } from './job-interview-set-state';
import { requestFeature } from './merchant-feature-request';
import { listMerchantResults } from './merchant-result-list';
import { getMerchantStatus } from './merchant-status';
import { reportTechnicalIssue } from './merchant-technical-issue';
import { updateInterview } from './job-interview-update';
import { listTeam } from './team-member-list';
import { updateTeamMember } from './team-member-update';
import { createWebhookEndpoint } from './webhook-endpoint-create';
import { updateWebhookEndpoint } from './webhook-endpoint-update';
import { listWebhookEndpoints } from './webhook-endpoint-list';
import { getWebhookEndpoint } from './webhook-endpoint-get';
import { deleteWebhookEndpoint } from './webhook-endpoint-delete';
import { pauseWebhookEndpoint } from './webhook-endpoint-pause';
import { resumeWebhookEndpoint } from './webhook-endpoint-resume';
import { rotateWebhookSecret } from './webhook-endpoint-rotate-secret';
import { testWebhookEndpoint } from './webhook-endpoint-test';
import { listWebhookDeliveries } from './webhook-delivery-list';
import { getWebhookDelivery } from './webhook-delivery-get';
import { retryWebhookDelivery } from './webhook-delivery-retry';
import { replayWebhookDeliveries } from './webhook-delivery-replay';
import { getWebhookReplay } from './webhook-replay-get';
import { cancelWebhookReplay } from './webhook-replay-cancel';

export type BoundOperation = { operation: Operation; bind: (deps: OperationDeps) => RequestHandler };

const pair = <Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
  handler: Handler<z.output<Input>, z.input<Reply>, OperationDeps>,
): BoundOperation => ({ operation, bind: (deps) => bindOperation(operation, handler, deps) });

/** Every operation of the API: the router, the OpenAPI document and the endpoint tests read this list. */
export const operations: readonly BoundOperation[] = [
  pair(jobInterviewCreate, createInterviewWithAi),
  pair(jobInterviewCreateFromArray, createInterviewFromArray),
  pair(jobInterviewGet, getInterviewDefinition),
  pair(jobInterviewUpdate, updateInterview),
  pair(jobInterviewSetState, setInterviewState),
  pair(interviewTemplateList, listInterviewTemplates),
  pair(jobInterviewRegisterUsers, registerUsers),
  pair(inviteUsers, inviteUsersByMail),
  pair(teamMemberList, listTeam),
  pair(teamMemberUpdate, updateTeamMember),
  pair(merchantResultList, listMerchantResults),
  pair(jobInterviewDetails, getResultDetails),
  pair(jobInterviewResultUpdate, updateResult),
  pair(jobInterviewResultRequestAnotherAttempt, requestAnotherAttempt),
  pair(merchantStatus, getMerchantStatus),
  pair(catalogueTagCreate, createDirectory),
  pair(catalogueTagList, listCatalogue),
  pair(catalogueTagGet, getDirectory),
  pair(catalogueTagUpdate, changeDirectory),
  pair(merchantTechnicalIssue, reportTechnicalIssue),
  pair(merchantFeatureRequest, requestFeature),
  pair(webhookEndpointCreate, createWebhookEndpoint),
  pair(webhookEndpointUpdate, updateWebhookEndpoint),
  pair(webhookEndpointList, listWebhookEndpoints),
  pair(webhookEndpointGet, getWebhookEndpoint),
  pair(webhookEndpointDelete, deleteWebhookEndpoint),
  pair(webhookEndpointPause, pauseWebhookEndpoint),
  pair(webhookEndpointResume, resumeWebhookEndpoint),
  pair(webhookEndpointRotateSecret, rotateWebhookSecret),
  pair(webhookEndpointTest, testWebhookEndpoint),
  pair(webhookDeliveryList, listWebhookDeliveries),
  pair(webhookDeliveryGet, getWebhookDelivery),
  pair(webhookDeliveryRetry, retryWebhookDelivery),
  pair(webhookDeliveryReplay, replayWebhookDeliveries),
  pair(webhookReplayGet, getWebhookReplay),
  pair(webhookReplayCancel, cancelWebhookReplay),
];
