/* Exports that other domains may use. */
export { fieldSchemas } from './interview-fields';
export { pdfExportAutoConfig } from './interview-options';
export { storedRubric } from './question';
export { recompileInterview } from './recompile-interview';
export { jobInterviewGet, mirroredDefinitions } from './job-interview-get';
export { jobInterviewList } from './job-interview-list';
export { knowledgeBaseGet, mirroredKnowledgeBases } from './knowledge-base-get';
