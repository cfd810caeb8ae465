/* Exports that other domains may use. */
export { testRecipients } from './recipients';
export { rowComponents } from './user-rows';
