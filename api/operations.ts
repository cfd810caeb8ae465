import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { catalogueTagCreate } from './catalogue/catalogue-tag-create.contract';
import { catalogueTagGet } from './catalogue/catalogue-tag-get.contract';
import { catalogueTagList } from './catalogue/catalogue-tag-list.contract';
import { catalogueTagUpdate } from './catalogue/catalogue-tag-update.contract';
import { interviewTemplateList } from './interviews/interview-template-list.contract';
import { jobInterviewCreate } from './interviews/job-interview-create.contract';
import { jobInterviewCreateFromArray } from './interviews/job-interview-create-from-array.contract';
import { jobInterviewDetails } from './results/job-interview-details.contract';
import { jobInterviewGet } from './interviews/job-interview-get.contract';
import { inviteUsers } from './people/invite-users.contract';
import { jobInterviewRegisterUsers } from './people/job-interview-register-users.contract';
import { jobInterviewResultRequestAnotherAttempt } from './results/job-interview-result-request-another-attempt.contract';
import { jobInterviewResultUpdate } from './results/job-interview-result-update.contract';
import { jobInterviewSetState } from './interviews/job-interview-set-state.contract';
import { jobInterviewUpdate } from './interviews/job-interview-update.contract';
import { merchantFeatureRequest } from './support/merchant-feature-request.contract';
import { merchantResultList } from './results/merchant-result-list.contract';
import { merchantStatus } from './account/merchant-status.contract';
import { merchantTechnicalIssue } from './support/merchant-technical-issue.contract';
import type { Operation } from './platform/operation/define-operation';
import { teamMemberList } from './identity/team-member-list.contract';
import { teamMemberUpdate } from './identity/team-member-update.contract';
import { webhookEndpointCreate } from './webhooks/webhook-endpoint-create.contract';
import { webhookEndpointUpdate } from './webhooks/webhook-endpoint-update.contract';
import { webhookEndpointList } from './webhooks/webhook-endpoint-list.contract';
import { webhookEndpointGet } from './webhooks/webhook-endpoint-get.contract';
import { webhookEndpointDelete } from './webhooks/webhook-endpoint-delete.contract';
import { webhookEndpointPause } from './webhooks/webhook-endpoint-pause.contract';
import { webhookEndpointResume } from './webhooks/webhook-endpoint-resume.contract';
import { webhookEndpointRotateSecret } from './webhooks/webhook-endpoint-rotate-secret.contract';
import { webhookEndpointTest } from './webhooks/webhook-endpoint-test.contract';
import { webhookDeliveryList } from './webhooks/webhook-delivery-list.contract';
import { webhookDeliveryGet } from './webhooks/webhook-delivery-get.contract';
import { webhookDeliveryRetry } from './webhooks/webhook-delivery-retry.contract';
import { webhookDeliveryReplay } from './webhooks/webhook-delivery-replay.contract';
import { webhookReplayGet } from './webhooks/webhook-replay-get.contract';
import { webhookReplayCancel } from './webhooks/webhook-replay-cancel.contract';
import { bindOperation } from './platform/http/bind-operation';
import type { Handler } from './platform/http/bind-operation';
import type { OperationDeps } from './deps';
import { createDirectory } from './catalogue/catalogue-tag-create';
import { getDirectory } from './catalogue/catalogue-tag-get';
import { listCatalogue } from './catalogue/catalogue-tag-list';
import { changeDirectory } from './catalogue/catalogue-tag-update';
import { listInterviewTemplates } from './interviews/interview-template-list';
import { createInterviewWithAi } from './interviews/job-interview-create';
import { createInterviewFromArray } from './interviews/job-interview-create-from-array';
import { getResultDetails } from './results/job-interview-details';
import { getInterviewDefinition } from './interviews/job-interview-get';
import { inviteUsersByMail } from './people/invite-users';
import { requestAnotherAttempt } from './results/job-interview-result-request-another-attempt';
import { updateResult } from './results/job-interview-result-update';
import { registerUsers } from './people/job-interview-register-users';
import { setInterviewState } from './interviews/job-interview-set-state';
import { requestFeature } from './support/merchant-feature-request';
import { listMerchantResults } from './results/merchant-result-list';
import { getMerchantStatus } from './account/merchant-status';
import { reportTechnicalIssue } from './support/merchant-technical-issue';
import { updateInterview } from './interviews/job-interview-update';
import { listTeam } from './identity/team-member-list';
import { updateTeamMember } from './identity/team-member-update';
import { createWebhookEndpoint } from './webhooks/webhook-endpoint-create';
import { updateWebhookEndpoint } from './webhooks/webhook-endpoint-update';
import { listWebhookEndpoints } from './webhooks/webhook-endpoint-list';
import { getWebhookEndpoint } from './webhooks/webhook-endpoint-get';
import { deleteWebhookEndpoint } from './webhooks/webhook-endpoint-delete';
import { pauseWebhookEndpoint } from './webhooks/webhook-endpoint-pause';
import { resumeWebhookEndpoint } from './webhooks/webhook-endpoint-resume';
import { rotateWebhookSecret } from './webhooks/webhook-endpoint-rotate-secret';
import { testWebhookEndpoint } from './webhooks/webhook-endpoint-test';
import { listWebhookDeliveries } from './webhooks/webhook-delivery-list';
import { getWebhookDelivery } from './webhooks/webhook-delivery-get';
import { retryWebhookDelivery } from './webhooks/webhook-delivery-retry';
import { replayWebhookDeliveries } from './webhooks/webhook-delivery-replay';
import { getWebhookReplay } from './webhooks/webhook-replay-get';
import { cancelWebhookReplay } from './webhooks/webhook-replay-cancel';

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
