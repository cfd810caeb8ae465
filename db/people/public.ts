/* The part of this domain that other domains may use. */
export { emailKey } from './email-key';
export { invitationChannels, invitationResults } from './invitations';
