import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { recordPdf, recordScores, setProcessing } from '../../../db/results/results';
import { failAttempt } from '../../../db/taking/attempt-work';
import {
  answerTurn,
  beginAttempt,
  finishAttempt,
  getAttempt,
  submitAttempt,
} from '../../../db/taking/attempts';
import { onLink, scores, typed } from '../../../local/demo/candidate';
import { meetAtRow } from '../../harness/platform/row-lock';
import { uuid } from '../platform/world';
import { createResultWorld, stateNames } from './result-world';
import type { ResultWorld, Row, State, Taking } from './result-world';

/* Tests the states of a result (docs/results.md#states): every transition in every state. */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});

const changesOf = (before: Row, after: Row): string[] =>
  Object.keys(after)
    .filter((column) => column !== 'updated_at' && column !== 'revision')
    .filter((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))
    .toSorted();

const submitted: State[] = ['submitted', 'processing', 'failed to score', 'scored'];
const scoreColumns = [
  'ai_analysis',
  'ai_analysis_other',
  'ai_analysis_recruiter',
  'ai_analysis_recruiter_score',
  'ai_analysis_recruiter_why_hire',
  'ai_analysis_recruiter_why_not_hire',
  'score',
  'score_answer',
  'score_pronunciation',
  'score_sentiment',
  'score_simulation',
  'score_text',
  'score_words_per_minute',
];
const interactionScores = (id: string) => ({
  id,
  ai_analysis: 'Better.',
  ai_analysis_recruiter: 'Two examples.',
  score: 5,
  score_simulation: 5,
  score_answer_ai: 5,
  score_answer_ai_simulation: 5,
  answer_assessment_raw_data: [1],
});

/**
 * For each transition, the states in which it is allowed (`from`), its result in all other states (`refusal`), and
 * every column that it changes (`changes`).
 */
const transitions: Record<
  string,
  {
    from: State[];
    run: (taken: Taking) => Promise<unknown>;
    refusal: unknown;
    changes: string[] | ((state: State) => string[]);
  }
> = {
  begin: {
    from: ['reopened'],
    run: async ({ enrolment }) =>
      (await onLink(world, enrolment, beginAttempt({ consentVersion: '1', language: null }))).outcome === 'begun',
    refusal: false,
    changes: [
      'consent_language',
      'consent_version',
      'consented_at',
      'deadline_at',
      'interactions',
      'interview_status',
      'last_active_at',
      'started_at',
    ],
  },
  answer: {
    from: ['started'],
    run: async ({ enrolment }) => {
      const { attempt } = await onLink(world, enrolment, getAttempt);
      const turn = attempt?.turn?.turn_id ?? uuid();
      return (await onLink(world, enrolment, answerTurn(turn, typed('More.')))).outcome === 'stored';
    },
    refusal: false,
    changes: ['interactions', 'last_active_at'],
  },
  collect: {
    from: ['started'],
    run: async ({ enrolment }) => {
      const { attempt } = await onLink(world, enrolment, getAttempt);
      const { outcome } = await onLink(world, enrolment, finishAttempt);
      return attempt?.state === 'running' && outcome === 'collected';
    },
    refusal: false,
    changes: [
      'ai_completion_reason',
      'ai_interview_coverage_percentage',
      'charge',
      'duration',
      'ended_at',
      'interview_status',
    ],
  },
  submit: {
    from: ['collected'],
    run: async ({ enrolment }) => (await onLink(world, enrolment, submitAttempt)).outcome === 'submitted',
    refusal: false,
    changes: ['charge', 'is_successful', 'link_generation', 'processing_status', 'scoring_run', 'status', 'submitted_at'],
  },
  fail: {
    from: ['started'],
    run: async ({ key }) => {
      const silence = failAttempt(key.result_id, key.attempt, 'terminated, no speech detected', 'Silence.');
      return (await world.writeAsWorker((trx) => trx.one(silence))).failed;
    },
    refusal: false,
    changes: [
      'ai_completion_reason',
      'ai_interview_coverage_percentage',
      'charge',
      'duration',
      'ended_at',
      'interview_status',
    ],
  },
  'begin scoring': {
    from: ['submitted', 'processing', 'failed to score'],
    run: ({ key }) => world.writeAsWorker((trx) => setProcessing(trx, key, 'processing')),
    refusal: false,
    changes: (state) => (state === 'processing' ? [] : ['processing_status']),
  },
  'fail to score': {
    from: ['submitted', 'processing', 'failed to score'],
    run: ({ key }) => world.writeAsWorker((trx) => setProcessing(trx, key, 'failed')),
    refusal: false,
    changes: (state) => (state === 'failed to score' ? [] : ['processing_status']),
  },
  'record scores': {
    from: submitted,
    run: async ({ key }) => {
      const [spoken] = await world.database.rows<{ id: string }>(
        'select id from result_question where result_id = $1',
        [key.result_id],
      );
      const anew = { ...scores, score: 3.3 };
      return world.writeAsWorker((trx) => recordScores(trx, key, anew, [interactionScores(spoken?.id ?? '')]));
    },
    refusal: false,
    changes: (state) =>
      state === 'scored'
        ? ['interactions', 'score']
        : [...scoreColumns, 'interactions', 'processing_status'].toSorted(),
  },
  'record the PDF': {
    from: submitted,
    run: ({ key }) => world.writeAsWorker((trx) => recordPdf(trx, key, 'https://files.example/a.pdf')),
    refusal: 'gone',
    changes: ['pdf_export_url', 'pdf_made_at'],
  },
  'fail the PDF': {
    from: submitted,
    run: ({ key }) => world.writeAsWorker((trx) => recordPdf(trx, key, null)),
    refusal: 'gone',
    changes: ['pdf_failed_at'],
  },
  decide: {
    from: submitted,
    run: ({ key }) => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true })),
    refusal: 'not_submitted',
    changes: ['decided_at', 'recruiter_go_next_round'],
  },
  note: {
    from: ['started', 'collected', 'failed', 'reopened', ...submitted],
    run: ({ key }) =>
      world.asRecruiter((trx) =>
        decideResult(trx, key.result_id, {
          user_feedback_recruiter: 'Call back.',
          recruiter_shortlist: true,
          recruiter_risks: [{ key: 'notice', severity: 'warning' }],
        }),
      ),
    refusal: undefined,
    changes: ['recruiter_risks', 'recruiter_shortlist', 'user_feedback_recruiter'],
  },
  reopen: {
    from: ['scored'],
    run: ({ key }) => world.asRecruiter((trx) => reopenResult(trx, key.result_id)),
    refusal: false,
    changes: [
      ...scoreColumns,
      'ai_completion_reason',
      'ai_interview_coverage_percentage',
      'attempt',
      'charge',
      'consent_language',
      'consent_version',
      'consented_at',
      'deadline_at',
      'duration',
      'ended_at',
      'extra_attempts',
      'interview_status',
      'is_successful',
      'last_active_at',
      'link_generation',
      'processing_status',
      'started_at',
      'status',
      'submitted_at',
    ].toSorted(),
  },
}; // prettier-ignore

const cases = Object.keys(transitions).flatMap((transition) =>
  stateNames.map((state) => ({ transition, state })),
);

describe('transitions', () => {
  it.each(cases)(
    'are allowed or rejected as documented: $transition of a result that is $state',
    async ({ transition, state }) => {
      const rule = transitions[transition];
      if (!rule) throw new Error(transition);
      const taken = await world.states[state]();
      const before = await world.show(taken.key.result_id);
      const answer = await rule.run(taken);
      const changes = changesOf(before, await world.show(taken.key.result_id));
      if (rule.from.includes(state)) {
        expect([undefined, false, 0, 'unknown', 'not_submitted', 'gone']).not.toContain(answer);
        expect(changes).toEqual(Array.isArray(rule.changes) ? rule.changes : rule.changes(state));
      } else {
        expect(answer).toEqual(rule.refusal);
        expect(changes).toEqual([]);
      }
    },
  );

  it('are all rejected for an earlier attempt', async () => {
    const { enrolment, key } = await world.states.reopened();
    const [old] = await world.database.rows<{ id: string }>(
      'select id from result_question where result_id = $1 and attempt = 1 limit 1',
      [key.result_id],
    );
    await onLink(world, enrolment, beginAttempt({ consentVersion: '1', language: null }));
    const before = await world.show(key.result_id);
    const stale = { ...key, attempt: 1 };
    expect(await onLink(world, enrolment, answerTurn(old?.id ?? '', typed('Late.')))).toMatchObject({
      outcome: 'unknown_turn',
    });
    expect(
      await world.writeAsWorker(async (trx) => [
        (await trx.one(failAttempt(key.result_id, 1, 'failed', 'Late.'))).failed,
        await setProcessing(trx, stale, 'processing'),
        await recordScores(trx, stale, scores, []),
        await recordPdf(trx, stale, 'https://files.example/a.pdf'),
      ]),
    ).toEqual([false, false, false, 'gone']);
    expect(await world.show(key.result_id)).toEqual(before);
  });
});

describe('two concurrent transitions', () => {
  it.each(['begin', 'submit', 'fail', 'reopen'])('have one winner: %s', async (transition) => {
    const rule = transitions[transition];
    const state = rule?.from[0];
    if (!rule || !state) throw new Error(transition);
    const taken = await world.states[state]();
    const answers = await meetAtRow(world.database, 'interview_result', { key: 'id', id: taken.key.result_id }, [
      () => rule.run(taken),
      () => rule.run(taken),
    ]);
    expect(answers.filter((answer) => answer === rule.refusal)).toHaveLength(1);
  }); // prettier-ignore
});
