/* Other domains may import only what this file exports. */
export { candidateContains, isEnrolmentOfPerson } from './candidate-list';
export { listMessagesAboutAttempt } from './candidate-messages';
export type { CandidateMessage } from './candidate-messages';
export { emailKey } from './email-key';
export { findEnrolmentScopes, moveFromRemovedSteps, lockEnrolmentScopes } from './enrolments';
export { invitationChannels, invitationResults } from './invitations';
