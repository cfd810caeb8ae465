import { readFileSync } from 'node:fs';
import type { ResumeKind } from './resume-kinds';
import { readResumeText } from './resume-text';

/*
 * This process reads the text of the résumé on its standard input and writes it, or why it is not accepted, to its
 * standard output as JSON. Its argument is the kind of the file. It has limits of time and memory (read-resume.ts).
 */
void readResumeText(process.argv[2] as ResumeKind, readFileSync(0)).then((reply) =>
  process.stdout.write(JSON.stringify(reply), () => process.exit()),
);
