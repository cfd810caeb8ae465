import { z } from 'zod';
import { departmentFits } from '../../db/results/public';
import { namedEnum } from '../platform/operation/named-enums';
import { asStored } from '../platform/operation/vocabulary';

/*
 * The forms of what the scoring writes about a result (docs/results.md#analyses). Other releases may have stored other
 * forms, and these are sent as they are.
 */

const sentences = (description: string) =>
  z.array(z.string().meta({ description: 'A sentence.' })).meta({ description });
const bracket = namedEnum(
  'Bracket',
  ['strong', 'moderate', 'weak'],
  'The level of an answer or of a criterion.',
);

const passage = {
  quote: z
    .string()
    .nullable()
    .meta({ description: 'The passage, as it stands in the answer. Null if there is none.' }),
  start: z.int().nullable().meta({ description: 'Where it begins in the answer, in UTF-16 units.' }),
  end: z.int().nullable().meta({ description: 'Where it ends in the answer, in UTF-16 units.' }),
};

/** A criterion with the judgement of the scoring. */
export const judgedCriterion = z
  .looseObject({
    id: z.string().meta({ description: 'Id of the criterion in its rubric, such as `s1`.' }),
    bracket,
    text: z.string().meta({ description: 'The criterion, as the rubric has it.' }),
    met: namedEnum(
      'CriterionMet',
      ['yes', 'no', 'unclear'],
      'Whether a verified passage shows the criterion.',
    ),
    ...passage,
    turn_id: z.string().nullable().meta({ description: 'Id of the part of the transcript that is quoted.' }),
  })
  .meta({ id: 'JudgedCriterion', description: 'A criterion of a rubric with its judgement and evidence.' });

/** What the scoring stores about an answer. */
export const answerAssessment = z
  .looseObject({
    status: namedEnum(
      'AssessmentStatus',
      ['scored', 'insufficient_evidence'],
      'Whether the answer has a score.',
    ),
    bracket: bracket.nullable().meta({ description: 'The level of the answer. Null without a score.' }),
    score: z.number().nullable().meta({ description: 'The score, 0 to 10. Null without enough evidence.' }),
    answer_score: z.number().nullable().meta({ description: 'The same from 1 to 5.' }),
    criteria: z.array(judgedCriterion).meta({
      description:
        'The criteria of the question, in the order of its rubric. Of a multiple choice: the chosen option and, unless it is right, the right ones.',
    }),
    spread: z
      .number()
      .meta({ description: 'How far the scores of the repeated assessments are apart, in points of 10.' }),
    disagreement: z.number().meta({ description: 'The share of criteria on which they disagree, 0 to 1.' }),
    needs_review: z.boolean().meta({ description: 'True if there are `review_reasons`.' }),
    review_reasons: z
      .array(z.string().meta({ description: 'A reason, such as `samples_differ`.' }))
      .meta({ description: 'Why a person should look at it.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why there is no score, such as `too_little_said`. Null if there is one.' }),
    instructs: z
      .boolean()
      .meta({ description: 'True if the answer contains instructions to whoever assesses it.' }),
  })
  .meta({ id: 'AnswerAssessment', description: 'How an answer was assessed.' });

const evidence = z
  .array(
    z
      .looseObject({
        ...passage,
        result_question_id: z
          .string()
          .meta({ description: 'Id of the part of the transcript that is quoted.' }),
      })
      .meta({ id: 'EvidencePassage', description: 'A passage of an answer that proves a statement.' })
      .nullable(),
  )
  .meta({
    description:
      'The passage of each statement, at the same index as the statement. Null for a concern that something was not shown.',
  });

const scoreParts = ['answers', 'session', 'resume', 'pronunciation', 'cadence', 'sentiment'] as const;
const guidanceKinds = ['say', 'structure', 'length', 'exercise', 'perspective'] as const;
const nextStep = z
  .looseObject({
    text: z.string().meta({
      description: 'What to add next time, or a multiple choice whose answer was not right.',
    }),
    priority: namedEnum('StepPriority', ['impact', 'quick', 'longterm'], 'Why to take the step.', {
      impact: 'It has the biggest effect.',
      quick: 'It is quick to do.',
      longterm: 'It takes time. This release writes none.',
    }),
    guidance: z
      .looseObject({
        kind: namedEnum(
          'GuidanceKind',
          guidanceKinds,
          'The kind of help. This release writes `structure` for answers and `exercise` for choices.',
        ),
        text: z.string().meta({ description: 'How to do it.' }),
      })
      .meta({ description: 'Help with the step.' }),
    proof: z
      .array(
        z.looseObject({
          kind: z.literal('quote').meta({ description: 'The kind of proof: a quote of an answer.' }),
          text: z.string().meta({ description: 'The quote.' }),
          ref: z
            .looseObject({
              result_question_id: z.string().meta({ description: 'Id of the part of the transcript.' }),
            })
            .meta({ description: 'Where the quote stands.' }),
        }),
      )
      .optional()
      .meta({
        description: 'A strength that the same answer shows. Left out if it shows none, and for choices.',
      }),
  })
  .meta({ id: 'NextStep', description: 'What a learner can do better in the next attempt.' });

/** What a learner takes away from a coaching or persona session. */
export const takeaways = z
  .looseObject({
    what_went_well: sentences(
      'What the learner did well, each with a quote, and questions that were answered with the right option; at most four.',
    ),
    next_steps: z.array(nextStep).meta({ description: 'At most four steps, the most important first.' }),
    fixed: sentences(
      'The steps of the previous attempt that are done now. Left out if there are none.',
    ).optional(),
  })
  .meta({
    id: 'Takeaways',
    description: 'What a learner takes away. Only of coaching and persona sessions.',
  });

const rationale = (what: 'session' | 'résumé') => ({
  bracket: bracket.nullable().meta({ description: `The level of the ${what}. Null without a score.` }),
  strong: z.string().meta({ description: `How many strong criteria of the ${what} are met, as \`2 of 3\`.` }),
  moderate: z.string().meta({ description: 'The same for moderate criteria.' }),
  weak: z.string().meta({ description: 'The same for weak criteria.' }),
});

/** The analyses of a result by name. */
export const resultAnalyses = z
  .looseObject({
    strengths_concerns: asStored(
      z.looseObject({
        strengths: sentences('Criteria that were shown, at most four.'),
        concerns: sentences('Weak points, and criteria that were not shown; at most four.'),
      }),
    )
      .nullish()
      .meta({ description: 'What speaks for and against the candidate.' }),
    evidence: asStored(z.looseObject({ strengths: evidence, concerns: evidence }))
      .nullish()
      .meta({ description: 'The passages that prove `strengths_concerns`.' }),
    takeaways: asStored(takeaways).nullish(),
    score_rationale: asStored(z.looseObject(rationale('session')))
      .nullish()
      .meta({ description: 'How the assessment of the session came about.' }),
    score_parts: asStored(
      z.array(
        z
          .looseObject({
            part: namedEnum('ScorePart', scoreParts, 'A part of the score.', {
              answers: 'The mean of the answers.',
              session: 'The session as a whole.',
              resume: 'The résumé, by the rubric of the session.',
              pronunciation: 'How well speech recognition understood what was said.',
              cadence: 'The pace of speech.',
              sentiment: 'The sentiment of the wording.',
            }),
            score: z.number().meta({ description: 'The score of the part, 0 to 10.' }),
            weight: z.number().meta({ description: 'Its share of the score, 0 to 1, with three decimals.' }),
          })
          .meta({ id: 'ScorePartUsed', description: 'A part of the score with its share.' }),
      ),
    )
      .nullish()
      .meta({ description: 'The parts of the score. Parts without data are left out.' }),
    session_criteria: asStored(z.array(judgedCriterion))
      .nullish()
      .meta({ description: 'The criteria of the session with their evidence.' }),
    resume_rationale: asStored(
      z.looseObject({
        score: z.number().nullable().meta({ description: 'The score of the résumé, 0 to 10.' }),
        ...rationale('résumé'),
      }),
    )
      .nullish()
      .meta({ description: 'How the assessment of the résumé came about. Left out without one.' }),
    resume_criteria: asStored(z.array(judgedCriterion)).nullish().meta({
      description:
        'The criteria of the session with their evidence in the text of the résumé. Their `turn_id` is null.',
    }),
    key_statement: asStored(
      z.looseObject({
        quote: z.string().meta({ description: 'The passage of an answer to remember.' }),
        result_question_id: z.string().meta({ description: 'Id of the part of the transcript.' }),
      }),
    )
      .nullish()
      .meta({
        description:
          'The passage that a recruiter would remember. Only of the types interview and persona_interview.',
      }),
    multi_department: asStored(
      z.array(
        z.looseObject({
          department: z.string().meta({ description: 'The name of the department, as the creation has it.' }),
          fit: namedEnum('DepartmentFit', departmentFits, 'How well the answers fit a department.', {
            strong: 'Several passages show what it needs most.',
            partial: 'Some passages show what it needs.',
            none: 'No passage shows what it needs.',
          }),
          text: z.string().nullable().meta({
            description:
              'What was shown, each criterion with its quote. One sentence per line. Null without a fit.',
          }),
          evidence,
        }),
      ),
    )
      .nullish()
      .meta({
        description:
          'The fit to each of `additional_context.departments`, in their order. Left out if there are none.',
      }),
  })
  .meta({
    id: 'ResultAnalyses',
    description:
      'Further analyses by name; those that were not made are left out. Names can be added. Results from before 2026-09-15 can also have `hiring_reasons`.',
  });
