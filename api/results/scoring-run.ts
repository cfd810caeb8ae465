import { z } from 'zod';
import { scoringStates } from '../../db/scoring/public';
import { namedEnum } from '../platform/operation/named-enums';
import { anyJson, timestamp } from '../platform/operation/vocabulary';

const maybe = (description: string) => z.string().nullable().meta({ description });
const maybeNumber = (description: string) => z.number().nullable().meta({ description });

const scoringState = namedEnum('ScoringState', scoringStates, 'The state of a run of the scoring.', {
  queued: 'It waits to begin.',
  running: 'It is running.',
  scored: 'It has written its scores.',
  failed: 'It ended without scores. The result can be scored again.',
  superseded: 'It ended without effect, because another run or attempt began.',
});

/** The latest run of the scoring of an attempt. */
export const scoringRun = z
  .object({
    run: z.int().meta({ description: 'The number of the run, counted from 1 in each attempt.' }),
    state: scoringState,
    failure: maybe('Why the run failed. Null unless `state` is `failed`.'),
    requested_at: timestamp.meta({ description: 'When the run was requested.' }),
    ended_at: timestamp.nullable().meta({ description: 'When the run ended. Null before that.' }),
    model: maybe('The model that judged the answers.'),
    prompt_version: maybe('The versions of the prompts.'),
    rubric_version: maybe('The version of the rubrics, thresholds and weights.'),
    spread: maybeNumber('The largest difference between repeated assessments, on the scale 0 to 10.'),
    verified_share: maybeNumber('The share of quotes that were found in the answers, 0 to 1.'),
    needs_review: z
      .boolean()
      .nullable()
      .meta({ description: 'True if a person should look at the assessment. Null before the run ends.' }),
    score_ai: maybeNumber('The computed score of the result. `score` differs if a person has set it.'),
    changes: z
      .array(
        z.object({
          field: z.string().meta({ description: 'The field that changed.' }),
          question_id: maybe('Id of the part of the transcript. Null for a field of the result.'),
          from: anyJson.meta({ description: 'The value before. Null for texts.' }),
          to: anyJson.meta({ description: 'The value after. Null for texts.' }),
        }),
      )
      .meta({ description: 'The scores that the run changed.' }),
  })
  .meta({ id: 'ScoringRun', description: 'The latest scoring of the attempt. Null if it has none.' });
