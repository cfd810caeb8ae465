/* Exports that other domains may use. */
export { advanceCandidate } from './advance-candidate';
export { mailReopened } from './mail-reopened';
export { CandidateMessages } from './message-words';
export { testRecipients } from './recipients';
export { rowComponents } from './user-rows';
export { enrolEmbedded, readCandidate } from './enrol-embedded';
export type { CandidateRow } from './user-rows';
