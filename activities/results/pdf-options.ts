import { z } from 'zod';
import { languageCodes } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type { PdfOptions } from './result-to-print';

const flag = z.boolean().catch(false);
/**
 * The PDF options that are stored with an interview. If the option of a section is missing, the PDF does not contain
 * the section.
 */
const stored = z.object({
  platform_language_code: z.enum(languageCodes).optional().catch(undefined),
  contact_details: flag,
  ai_recruiter_assessment: flag,
  ai_scoring_rubric: flag,
  analytics: flag,
  files: flag,
  transcript: flag,
  answer_recording: flag,
  session_recording: flag,
  group_by_question: flag,
  anonymous: flag,
});

/** Reads `pdf_export_auto_config`. Returns undefined if it is not an object. */
export function readPdfOptions(
  config: unknown,
): { options: PdfOptions; language: LanguageCode | undefined } | undefined {
  const { data } = stored.safeParse(config);
  if (!data) return undefined;
  const { platform_language_code: language, ...options } = data;
  return { options, language };
}
