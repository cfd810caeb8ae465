import { z } from 'zod';
import { findPdfTarget } from '../../db/results/result-pdf';
import type { PdfTarget } from '../../db/results/result-pdf';
import { pdfExportAutoConfig } from '../interviews/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, readers, timestamp } from '../platform/operation/vocabulary';
import { makePdf, pdfWaitMs } from './make-pdf';
import type { PdfRequest } from './make-pdf';
import { resultField } from './result-fields';

const linkSeconds = 15 * 60;

/** The sections of a PDF if neither the call nor the interview names any. */
const everySection: PdfRequest = {
  contact_details: true,
  ai_recruiter_assessment: true,
  ai_scoring_rubric: true,
  analytics: true,
  files: true,
  transcript: true,
};

export const jobInterviewPdf = defineOperation({
  name: 'job-interview-pdf',
  method: 'POST',
  tag: 'Results',
  summary: 'Make a PDF of a result',
  description: `Makes a PDF of an attempt and returns its URL, which is valid for 15 minutes. The other fields say what the PDF contains, as in
\`pdf_export_auto_config\`. Without any of them, the PDF has the sections of the interview's \`pdf_export_auto_config\`; if that is null, it has all sections
without links to recordings. Links to recordings lead to the result's page in the console, whose reader signs in. \`anonymous\` alone changes no section.

The call takes up to 25 seconds. It changes nothing and sends no event.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    interview_result_id: resultField.interview_result_id,
    attempt: optionalField(z.int().min(1).max(1_000_000)).meta({
      description: 'The attempt, counted from 1. Left out: the latest.',
    }),
    ...pdfExportAutoConfig.shape,
  }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1', transcript: true },
  reply: z.object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    attempt: z.int().meta({ description: 'The attempt that the PDF shows.' }),
    pdf_url: z.string().meta({ description: 'URL of the PDF, valid until `expires_at`.' }),
    expires_at: timestamp.meta({ description: 'When the URL expires.' }),
  }),
  replyExample: {
    interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
    attempt: 1,
    pdf_url: 'https://api.example.com/files/…/report-0a1b2c3d4e5f6071.pdf?file_token=…',
    expires_at: '2026-11-23T10:15:00.000Z',
  },
  statuses: [404],
  /** Renders the PDF in a workflow and signs its URL (docs/results.md#pdf-on-request). */
  async handle({ input, caller, receivedAt }, { database, objects, ...deps }) {
    const { interview_result_id, attempt, anonymous, ...sections } = input;
    const [target] = await database.query(caller, findPdfTarget(interview_result_id, attempt));
    assertContent(target, attempt);
    const isNamed = Object.values(sections).some((value) => value !== undefined);
    const request = {
      ...(isNamed ? sections : ((target.pdf_export_auto_config as PdfRequest | null) ?? everySection)),
      ...(anonymous === undefined ? {} : { anonymous }),
    };
    const path = await makePdf(deps, interview_result_id, target, request, receivedAt + pdfWaitMs);
    if (path === undefined)
      throw new ApiError(
        'service_unavailable',
        'The PDF could not be made in time. Try again later.',
        undefined,
        5,
      );
    return {
      interview_result_id,
      attempt: target.attempt,
      pdf_url: await objects.signUrl(path, { expiresInSeconds: linkSeconds }),
      expires_at: new Date(Date.now() + linkSeconds * 1_000).toISOString(),
    };
  },
});

function assertContent(
  target: PdfTarget | undefined,
  attempt: number | undefined,
): asserts target is PdfTarget {
  if (!target)
    throw new ApiError(
      'not_found',
      'There is no result with this interview_result_id.',
      'interview_result_id',
    );
  if (target.is_erased)
    throw new ApiError('not_found', 'The content of this result was deleted.', 'interview_result_id');
  if (!target.has_content)
    throw new ApiError(
      'not_found',
      'This result does not have that attempt.',
      attempt === undefined ? 'interview_result_id' : 'attempt',
    );
}
