import { z } from 'zod';

const texts = z.array(z.string());

/**
 * `ai_analysis_other` as it can be written (docs/results.md#analyses). Keys that are copied to columns hold lists of
 * texts; the rest is free-form.
 */
export const resultAnalyses = z
  .looseObject({
    strengths_concerns: z.looseObject({ strengths: texts, concerns: texts }).nullish(),
    hiring_reasons: z
      .looseObject({ reasons_to_hire: texts.optional(), reasons_not_to_hire: texts.optional() })
      .nullish(),
  })
  .nullable();
