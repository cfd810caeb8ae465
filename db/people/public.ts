/* The part of this domain that other domains may use. */
export { listMessagesOf } from './candidate-messages';
export type { CandidateMessage } from './candidate-messages';
export { emailKey } from './email-key';
export { invitationChannels, invitationResults } from './invitations';
