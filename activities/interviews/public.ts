/* Exports that other domains may use. */
export { describeTone } from './prompts';
