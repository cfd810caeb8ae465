import { z } from 'zod';
import { departmentFits } from './vocabulary';

const texts = z.array(z.string());

/**
 * The JSON that `ai_analysis_other` may contain (docs/results.md#analyses). Keys whose values are also copied to
 * columns contain lists of texts. All other keys may contain anything.
 */
export const resultAnalyses = z
  .looseObject({
    strengths_concerns: z.looseObject({ strengths: texts, concerns: texts }).nullish(),
    hiring_reasons: z
      .looseObject({ reasons_to_hire: texts.optional(), reasons_not_to_hire: texts.optional() })
      .nullish(),
  })
  .nullable();

/** Reads `multi_department`, the fit of the answers to each department. What has another form counts as no fit. */
export const storedDepartments = z
  .array(z.object({ department: z.string(), fit: z.enum(departmentFits), text: z.string().nullable() }))
  .catch([]);
