import { z } from 'zod';

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
