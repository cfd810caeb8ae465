import { reopenResult } from '../../../db/results/result-decisions';
import { failResult, setProcessing } from '../../../db/results/results';
import type { ResultKey } from '../../../db/results/results';
import type { Transaction } from '../../../db/platform/database';
import { asLink, takeInterview } from '../../../local/demo/candidate';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell } from '../platform/world';

export type Taking = { enrolment: string; key: ResultKey };
export type Row = Record<string, unknown>;
export type ResultWorld = Awaited<ReturnType<typeof createResultWorld>>;

/** Creates a world whose first cell has credits. `states` creates results in each state as the product does. */
export async function createResultWorld() {
  const world = await createWorld();
  const [cell] = world.cells;
  await world.database.rows(`select app.post_credits($1, 'extra', 'grant', 1000, null, null)`, [
    cell.merchantId,
  ]);

  /** Creates a candidate of a new active interview. `changes` sets columns of the interview. */
  async function enrol(changes: Record<string, unknown> = {}, owner: Cell = cell): Promise<string> {
    const [interview, id] = [uuid(), uuid()];
    for (const { text, values } of [
      insertOf('interview', { ...rowOf('interview', owner, owner.taken, interview), ...changes }),
      insertOf('enrolment', {
        ...rowOf('enrolment', owner, owner.taken, id),
        interview_id: interview,
        position_id: null,
      }),
    ])
      await world.database.rows(text, values);
    return id;
  }
  const asRecruiter = <T>(work: (trx: Transaction) => Promise<T>) => world.api.write(cell.user, work);
  const writeAsWorker = <T>(work: (trx: Transaction) => Promise<T>) => world.worker.writeAsWorker(work);

  const taking = async (until: 'started' | 'collected' | 'submitted' | 'scored'): Promise<Taking> => {
    const enrolment = await enrol();
    return { enrolment, key: await takeInterview(world, { enrolment, until }) };
  };
  const states = {
    started: () => taking('started'),
    collected: () => taking('collected'),
    failed: async () => {
      const { enrolment, key } = await taking('started');
      await asLink(world, enrolment, (trx) => failResult(trx, key, 'failed', 'The connection was lost.'));
      return { enrolment, key };
    },
    submitted: () => taking('submitted'),
    processing: async () => {
      const made = await taking('submitted');
      await writeAsWorker((trx) => setProcessing(trx, made.key, 'processing'));
      return made;
    },
    'failed to score': async () => {
      const made = await taking('submitted');
      await writeAsWorker((trx) => setProcessing(trx, made.key, 'failed'));
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
    asRecruiter,
    writeAsWorker,
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
