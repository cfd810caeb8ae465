/* Exports that other domains may use. */
export { advanceCandidate } from './advance-candidate';
export { inviteRows } from './invite-rows';
export { inviteUsers } from './invite-users';
export type { Invited } from './invite-candidates';
export { mailReopened } from './mail-reopened';
export { openShortLink } from './message-link';
export { jobInterviewRegisterUsers } from './job-interview-register-users';
export { CandidateMessages } from './message-words';
export { testRecipients } from './recipients';
export { maxMailsPerPerson } from './mail-limit';
export { candidateRow, emailAddress, userRowSchemas } from './user-rows';
export { enrolEmbedded, validateSentCandidate } from './enrol-embedded';
export type { CandidateRow } from './user-rows';
export { mirroredCandidates } from './merchant-candidate-list';
export { mirroredInvitations } from './merchant-invitation-list';
