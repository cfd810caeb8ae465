import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { recordPdf, setProcessing } from '../../../db/results/results';
import { meetAtRow } from '../../harness/platform/row-lock';
import { createResultWorld } from './result-world';
import type { ResultWorld } from './result-world';

/*
 * Webhook bodies are ordered by `revision`. The database increases it with every change of a result, whoever makes
 * the change.
 */

let world: ResultWorld;
beforeAll(async () => {
  world = await createResultWorld();
});

const revisionOf = async (id: string) => Number((await world.show(id))['revision']);

describe('the revision of a result', () => {
  it('rises with each step of an interview, with scores, decisions, the PDF and a reopen', async () => {
    const seen: number[] = [];
    for (const state of ['started', 'collected', 'submitted', 'scored'] as const)
      seen.push(await revisionOf((await world.states[state]()).key.result_id));
    const { key } = await world.states.scored();
    const changes = [
      () => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true })),
      () => world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_shortlist: true })),
      () => world.writeAsWorker((trx) => recordPdf(trx, key, 'https://files.example/1.pdf')),
      () => world.writeAsWorker((trx) => recordPdf(trx, key, null)),
      () => world.asRecruiter((trx) => reopenResult(trx, key.result_id)),
    ];
    for (const change of changes) {
      await change();
      seen.push(await revisionOf(key.result_id));
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('differs for two changes at the same time', async () => {
    const { key } = await world.states.submitted();
    const before = await revisionOf(key.result_id);
    await meetAtRow(world.database, 'interview_result', { key: 'id', id: key.result_id }, [
      () => world.writeAsWorker((trx) => setProcessing(trx, key, 'processing')),
      () => world.writeAsWorker((trx) => setProcessing(trx, key, 'failed')),
    ]);
    expect(await revisionOf(key.result_id)).toBe(before + 2);
  });

  it('is set by the database and not by a caller', async () => {
    const { key } = await world.states.scored();
    await expect(
      world.asRecruiter((trx) =>
        trx.count({
          text: 'update interview_result set revision = $2 where id = $1',
          values: [key.result_id, 1],
        }),
      ),
    ).rejects.toMatchObject({ code: '42501' });
    const before = await revisionOf(key.result_id);
    await world.database.rows('update interview_result set revision = 1, duration = $2 where id = $1', [
      key.result_id,
      before,
    ]);
    expect(await revisionOf(key.result_id)).toBe(before + 1);
  });
});
