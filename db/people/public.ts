/* What other domains may use. */
export { emailKey } from './email-key';
export { untilOf } from './reminders';
