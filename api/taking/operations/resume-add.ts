import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { requiredText } from '../../platform/operation/vocabulary';
import { maxResumeBytes } from '../resume-kinds';
import { addSentResume } from '../resumes';

export const resumeAdd = defineOperation({
  name: 'resume-add',
  caller: 'candidate',
  method: 'PUT',
  summary: 'Add a résumé',
  description: `Adds a résumé to the running attempt of an interview that asks for one. The body is the file: a PDF, a Word document (DOCX) or plain
text in UTF-8, of at most 5 MB and 20 pages. The same file again is fine; another one is a 409, as is an attempt that has ended.

The text of the file is read and assessed by the rubric of the session. A file without text, such as a scanned page, is kept and not assessed:
\`is_readable\` is then false. After a 503 nothing is lost: send the file again.`,
  input: z.object({
    name: requiredText(200).meta({ description: 'Name of the file, as recruiters see it.' }),
  }),
  example: { name: 'ann-lee.pdf' },
  reply: z.object({
    name: z.string().meta({ description: 'Name of the file.' }),
    bytes: z.int().meta({ description: 'Bytes of the file.' }),
    is_readable: z
      .boolean()
      .meta({ description: 'False if the file has no text, so that it is not assessed.' }),
  }),
  replyExample: { name: 'ann-lee.pdf', bytes: 84_210, is_readable: true },
  statuses: [409],
  callsPerMinute: 10,
  maxBytes: maxResumeBytes,
  handle: ({ input: { name }, bytes, caller }, deps) => addSentResume(deps, caller, { name, file: bytes }),
});
