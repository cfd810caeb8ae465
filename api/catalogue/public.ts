/* Exports that other domains may use. */
export { mirroredDirectories } from './catalogue-tag-get';
export { Cover } from './catalogue-elements';
export { compileDescription, JobFacts, CompiledDescription } from './job-details';
export type { MarkdownCompiler } from './markdown-pages';
