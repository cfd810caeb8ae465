export { interviewCreation } from './interview-creation';
export { invitationBatch } from './invitation-batch';
