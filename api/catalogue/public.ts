/* Exports that other domains may use. */
export { Cover } from './catalogue-elements';
export { compileDescription, JobFacts, Prose } from './job-details';
export type { MarkdownPages } from './markdown-pages';
