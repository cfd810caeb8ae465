import { closeAttempts } from '../../../activities/taking/close-attempts';
import type { Statement } from '../../../db/platform/statement';
import {
  answerTurn,
  beginAttempt,
  finishAttempt,
  getAttempt,
  submitAttempt,
} from '../../../db/taking/attempts';
import type { GivenAnswer, AttemptRow } from '../../../db/taking/attempts';
import { readNewestLink, seenAnswer, typedAnswer } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { insertOf, rowOf, uuid } from '../platform/world-rows';
import { createResultWorld } from '../results/result-world';

export type TakingWorld = Awaited<ReturnType<typeof createTakingWorld>>;
export type Link = Awaited<ReturnType<typeof readNewestLink>>;

/** A question or another step of a new interview. Tests recognize the step by the first word of its text. */
export type StepRow = { view?: string; question: string } & Record<string, unknown>;

/** Creates a database with interviews that candidates take through `db/taking/attempts.ts`. */
export async function createTakingWorld() {
  const world = await createResultWorld();

  /**
   * Creates a candidate of a new interview, which has these steps between a welcome and a thank-you. By default,
   * answers are typed.
   */
  async function open(questions: StepRow[], changes: Record<string, unknown> = {}): Promise<Link> {
    const enrolment = await world.enrol({ max_duration: 1200, max_followups: 0, ...changes });
    const [own] = await world.database.rows<{ interview_id: string }>(
      'select interview_id from enrolment where id = $1',
      [enrolment],
    );
    await world.database.rows('delete from interview_question where interview_id = $1', [own?.interview_id]);
    const steps: StepRow[] = [
      { view: 'welcome', question: 'Welcome' },
      ...questions,
      { view: 'thank_you', question: 'Thanks' },
    ];
    for (const [place, step] of steps.entries()) {
      const id = uuid();
      const { conditional_question_main: main, ...columns } = step;
      const parent = steps.find(({ question }) => question === main)?.['id'];
      step['id'] = id;
      for (const { text, values } of [
        insertOf('question', {
          ...rowOf('question', world.cell, world.cell.taken, id),
          ...columns,
          id,
          ...(main === undefined ? {} : { is_conditional: true, conditional_question_main_id: parent }),
        }),
        insertOf('interview_question', {
          ...rowOf('interview_question', world.cell, world.cell.taken),
          interview_id: own?.interview_id,
          question_id: id,
          step_order: place + 1,
        }),
      ])
        await world.database.rows(text, values);
    }
    return readNewestLink(world, enrolment);
  }

  const write = async <Row>(link: Link, statement: Statement<Row>): Promise<Row> =>
    world.api.write(link, (trx) => trx.one<Row>(statement));
  const begin = (link: Link) => write(link, beginAttempt({ consentVersion: '1', language: null }));
  const get = async (link: Link) => {
    const [row] = await world.api.query(link, getAttempt);
    if (!row) throw new Error('attempt_view returns one row');
    return row;
  };
  const answer = (link: Link, turnId: string, given: GivenAnswer) => write(link, answerTurn(turnId, given));
  /** Answers the open turn. A question is answered with `text`, and any other turn is marked as seen. */
  async function answerOpen(link: Link, text = 'An answer.') {
    const turn = openTurn((await get(link)).attempt);
    const kind = turn.answer.mode === 'choice' ? ('choice' as const) : ('text' as const);
    return answer(
      link,
      turn.turn_id,
      turn.answer.mode === 'none' ? seenAnswer : { ...typedAnswer(text), kind },
    );
  }
  /** Answers turn after turn until the attempt has ended, and returns the texts of the turns. */
  async function takeAll(link: Link): Promise<string[]> {
    await begin(link);
    const texts: string[] = [];
    for (;;) {
      const { attempt } = await get(link);
      const turn = openTurn(attempt);
      texts.push(turn.text);
      if (attempt?.state !== 'running') return texts;
      await answerOpen(link);
    }
  }
  /**
   * Creates a candidate who takes an interview with two questions. The candidate has seen the welcome and has
   * answered the first `answers` questions.
   */
  async function taking(answers: number, changes: Record<string, unknown> = {}) {
    const link = await open([{ question: 'One?' }, { question: 'Two?' }], {
      interview_template_id: platformTemplateIds.offline_avatar_3,
      ...changes,
    });
    const { attempt } = await begin(link);
    await answerOpen(link);
    for (let given = 0; given < answers; given += 1) await answerOpen(link, `Answer ${given + 1}.`);
    return { link, result_id: attempt?.result_id ?? '' };
  }
  const change = (text: string, ...values: unknown[]) => world.database.rows(text, values);
  /** Moves the times of an attempt back by this many minutes. */
  const shift = (resultId: string, minutes: number) =>
    change(
      `update interview_result r set started_at = r.started_at - s.span, deadline_at = r.deadline_at - s.span,
         last_active_at = r.last_active_at - s.span
       from make_interval(mins => $2) as s (span) where r.id = $1`,
      resultId,
      minutes,
    );
  const finish = (link: Link) => write(link, finishAttempt);
  const submit = (link: Link) => write(link, submitAttempt);
  /** Runs the job that closes attempts. Returns what it logs, which is that it failed to close an attempt. */
  const close = async () => {
    const failed: unknown[] = [];
    await closeAttempts(world.worker, { error: (facts: unknown) => failed.push(facts) });
    return failed;
  };
  /** Creates an endpoint that is subscribed to all events of results. */
  const insertEndpoint = () =>
    change(
      `insert into webhook_endpoint (merchant_id, environment, url, events)
       values ($1, $2, 'https://any.example', '{interview_result,interview_collected,interview_failed}')`,
      world.cell.merchantId,
      world.cell.environment,
    );
  /** Returns the events of a result, oldest first. */
  const events = async (resultId: string): Promise<string[]> => {
    const rows = await world.database.rows<{ event: string }>(
      'select event from webhook_delivery where result_id = $1 order by id',
      [resultId],
    );
    return rows.map(({ event }) => event);
  };
  return {
    ...world,
    open,
    write,
    begin,
    get,
    answer,
    answerOpen,
    takeAll,
    taking,
    change,
    shift,
    finish,
    submit,
    close,
    insertEndpoint,
    events,
  };
}

/** Returns the turn that waits for an answer. Throws when there is none. */
export function openTurn(attempt: AttemptRow | null) {
  if (!attempt?.turn) throw new Error('no turn is open');
  return attempt.turn;
}
