/* Exports that other domains may use. */
export { field } from './interview-fields';
export { recompileInterview } from './recompile-interview';
