import type { LanguageCode } from '../../db/platform/vocabulary';
import type { Department } from '../../db/scoring/attempt-input';
import { composeShownFindings } from './compose-summary';
import type { Finding, ShownFinding } from './findings';
import type { DepartmentFit } from './types';

/**
 * Says how an attempt fits each department, in the order of the interview. The model names numbers of strengths; the text is
 * composed of their criteria and quotes. Without a strength there is no fit, and one alone is at most a partial fit. A
 * department that the model did not name has none.
 */
export const composeDepartments = (
  findings: readonly Finding[],
  fits: readonly DepartmentFit[],
  departments: readonly Department[],
  language: LanguageCode,
) =>
  departments.map(({ name }, index) => {
    const named = fits.find(({ number }) => number === index + 1);
    const numbers = named && named.fit !== 'none' ? [...new Set(named.evidence)] : [];
    const shown = composeShownFindings(
      numbers
        .map((number) => findings[number - 1])
        .filter((one): one is ShownFinding => one?.kind === 'strength'),
      language,
    );
    return {
      department: name,
      fit:
        shown.passages.length === 0
          ? 'none'
          : shown.passages.length === 1
            ? 'partial'
            : (named?.fit ?? 'none'),
      text: shown.text,
      evidence: shown.passages.map(({ quote, turn_id, start, end }) => ({
        quote,
        result_question_id: turn_id,
        start,
        end,
      })),
    };
  });
