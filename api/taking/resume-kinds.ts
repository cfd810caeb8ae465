/** The kinds of files that a résumé can be. Each is the extension of the stored file. */
export const resumeKinds = ['pdf', 'docx', 'txt'] as const;
export type ResumeKind = (typeof resumeKinds)[number];

/** The size limit of a résumé, in bytes. */
export const maxResumeBytes = 5 * 1024 * 1024;
export const maxResumePages = 20;
/** The limit of the text of 20 pages, for formats without pages and against pages that are unusually full. */
export const maxResumeCharacters = 60_000;

/**
 * Why a résumé is not accepted. `unreadable`: it is damaged, or reading it takes too much time or memory. Each is the
 * name of a text of the candidate's pages (`error_resume_…`).
 */
export type ResumeProblem = 'size' | 'kind' | 'pages' | 'protected' | 'unreadable';

/** What read-resume-child.ts writes to its standard output. */
export type ResumeTextOutcome = { text: string } | { problem: ResumeProblem };
