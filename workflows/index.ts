export { featureRequest } from './feature-request';
export { interviewCreation } from './interview-creation';
export { invitationBatch } from './invitation-batch';
export { reportDelivery } from './report-delivery';
export { issueReport } from './technical-issue';
export { signInMail } from './sign-in-mail';
export { webhookReplay } from './webhook-replay';
export { webhookRetries } from './webhook-retries';
