import type { Transaction } from '../../../db/platform/database';
import { reopenResult } from '../../../db/results/result-decisions';
import type { ResultKey } from '../../../db/results/results';
import { beginRun, failRun, lockRun } from '../../../db/scoring/runs';
import { failAttempt } from '../../../db/taking/attempt-work';
import { takeInterview } from '../../../local/demo/candidate';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell } from '../platform/world';

export type Taking = { enrolment: string; key: ResultKey };
export type Row = Record<string, unknown>;
export type ResultWorld = Awaited<ReturnType<typeof createResultWorld>>;

/**
 * Creates test data whose first merchant has credits. `states` creates a result in each state with the statements
 * that the product uses.
 */
export async function createResultWorld() {
  const world = await createWorld();
  const [cell] = world.cells;
  await world.database.rows(
    `select app.post_credits($1, bucket, 'grant', 1000, null, null), app.pay_waiting($1)
     from unnest(array['extra', 'coaching']) bucket`,
    [cell.merchantId],
  );

  /**
   * Creates a candidate of a new active interview with three questions and no follow-ups. `changes` sets columns of the
   * interview.
   */
  async function enrol(changes: Record<string, unknown> = {}, owner: Cell = cell): Promise<string> {
    const [interview, id] = [uuid(), uuid()];
    const columns = { ...rowOf('interview', owner, owner.taken, interview), max_followups: 0, ...changes };
    const enrolment = {
      ...rowOf('enrolment', owner, owner.taken, id),
      interview_id: interview,
      position_id: null,
    };
    const rows = [insertOf('interview', columns), insertOf('enrolment', enrolment)];
    for (const step_order of [1, 2, 3]) {
      const question_id = uuid();
      const step = {
        ...rowOf('interview_question', owner, owner.taken),
        interview_id: interview,
        question_id,
      };
      rows.push(
        insertOf('question', { ...rowOf('question', owner, owner.taken, question_id) }),
        insertOf('interview_question', { ...step, step_order }),
      );
    }
    for (const { text, values } of rows) await world.database.rows(text, values);
    return id;
  }
  /** Moves the beginning of an attempt back by this many seconds, so that the attempt lasts longer. */
  const lengthen = (resultId: string, seconds: number) =>
    world.database.rows(
      'update interview_result set started_at = started_at - make_interval(secs => $2) where id = $1',
      [resultId, seconds],
    );
  const asRecruiter = <T>(work: (trx: Transaction) => Promise<T>) => world.api.write(cell.user, work);
  const writeAsWorker = <T>(work: (trx: Transaction) => Promise<T>) => world.worker.writeAsWorker(work);

  /** Changes the first scoring run of an attempt as the worker does. Returns false if the run is not open. */
  const onRun = (change: typeof beginRun) => (key: ResultKey) =>
    writeAsWorker(async (trx) => {
      const run = { ...key, run: 1 };
      const locked = await trx.maybeOne(lockRun(run));
      if (locked) await trx.count(change(run, locked.merchant_id));
      return locked !== undefined;
    });
  const beginScoring = onRun(beginRun);
  const failScoring = onRun((run, merchantId) => failRun(run, merchantId, 'any'));

  const taking = async (until: 'started' | 'collected' | 'submitted' | 'scored'): Promise<Taking> => {
    const enrolment = await enrol();
    const key = await takeInterview(world, { enrolment, until });
    if (until === 'started') await lengthen(key.result_id, 300);
    return { enrolment, key };
  };
  const states = {
    started: () => taking('started'),
    collected: () => taking('collected'),
    failed: async () => {
      const { enrolment, key } = await taking('started');
      await writeAsWorker((trx) =>
        trx.one(failAttempt(key.result_id, key.attempt, 'failed', 'technical_error')),
      );
      return { enrolment, key };
    },
    submitted: () => taking('submitted'),
    processing: async () => {
      const made = await taking('submitted');
      await beginScoring(made.key);
      return made;
    },
    'failed to score': async () => {
      const made = await taking('submitted');
      await failScoring(made.key);
      return made;
    },
    scored: () => taking('scored'),
    reopened: async () => {
      const { enrolment, key } = await taking('scored');
      await asRecruiter((trx) => reopenResult(trx, key.result_id));
      return { enrolment, key: { ...key, attempt: 2 } };
    },
  } satisfies Record<State, () => Promise<Taking>>;

  return {
    ...world,
    cell,
    enrol,
    lengthen,
    asRecruiter,
    writeAsWorker,
    beginScoring,
    failScoring,
    states,
    /** Returns the result as the administrator sees it, with its interactions and the generation of its links. */
    show: async (id: string): Promise<Row> => {
      const [found] = await world.database.rows<{ row: Row }>(
        `select to_jsonb(r) || jsonb_build_object('interactions', (
           select jsonb_agg(q order by step_order, attempt) from result_question q where q.result_id = r.id
         ), 'link_generation', (select e.link_generation from enrolment e where e.id = r.enrolment_id)) as row
         from interview_result r where r.id = $1`,
        [id],
      );
      return found?.row ?? {};
    },
  };
}

export const stateNames = [
  'started', 'collected', 'failed', 'submitted', 'processing', 'failed to score', 'scored', 'reopened',
] as const; // prettier-ignore
export type State = (typeof stateNames)[number];
