import { z } from 'zod';

const texts = z.array(z.string());

/**
 * The JSON that `ai_analysis_other` may contain (docs/results.md#analyses). The keys that are also copied to columns
 * hold lists of texts; all other keys may hold anything.
 */
export const resultAnalyses = z
  .looseObject({
    strengths_concerns: z.looseObject({ strengths: texts, concerns: texts }).nullish(),
    hiring_reasons: z
      .looseObject({ reasons_to_hire: texts.optional(), reasons_not_to_hire: texts.optional() })
      .nullish(),
  })
  .nullable();
