import { decideResult, reopenResult } from '../../../db/results/result-decisions';
import { recordPdf, recordScores } from '../../../db/results/results';
import { giveUpPdf } from '../../../db/webhooks/public';
import { scores, takeInterview } from '../../../local/demo/candidate';
import { waitFor } from '../../harness/wait-for';
import { allScores, createAnnouncingWorld } from './announcing-world';
import type { AnnouncingWorld } from './announcing-world';

/* Tests which events wait for a PDF, and until when (docs/results.md#automatic-pdf). */

let world: AnnouncingWorld;
beforeAll(async () => {
  world = await createAnnouncingWorld();
});

describe('an interview with an automatic PDF', () => {
  const withPdf = { pdf_export_auto_config: '{"transcript": true}' };
  const pdf = 'https://files.example/a.pdf';
  const switchOff = (enrolment: string, then?: () => Promise<unknown>) =>
    world.asRecruiter(async (trx) => {
      await trx.count({
        text: `update interview set pdf_export_auto_config = null
          where id = (select interview_id from enrolment where id = $1)`,
        values: [enrolment],
      });
      await then?.();
    });

  it('holds the event until the PDF exists, and then announces everything that changed once', async () => {
    const { key } = await world.scored(withPdf);
    expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_collected']);
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
    await world.writeAsWorker((trx) => recordScores(trx, key, { ...scores, score: 9 }, []));
    expect(await world.born(key.result_id)).toEqual([]);
    expect(await world.held(key.result_id)).toHaveLength(1);
    await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
    expect(await world.born(key.result_id)).toEqual([
      ['interview_result', `${allScores}, recruiter_go_next_round, pdf_export_url`],
    ]);
    expect(await world.held(key.result_id)).toEqual([]);
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: false }));
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
  });

  it('announces a change at once if the PDF was switched on after the scoring, because no PDF is being made', async () => {
    const { enrolment, key } = await world.scored();
    await world.born(key.result_id);
    await world.asRecruiter((trx) =>
      trx.count({
        text: `update interview set pdf_export_auto_config = '{}'
          where id = (select interview_id from enrolment where id = $1)`,
        values: [enrolment],
      }),
    );
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
    expect(await world.held(key.result_id)).toEqual([]);
  });

  it('keeps holding the event after a failed PDF, until a later one exists', async () => {
    const { key } = await world.scored(withPdf);
    await world.born(key.result_id);
    await world.writeAsWorker((trx) => recordPdf(trx, key, null));
    expect(await world.born(key.result_id)).toEqual([]);
    expect(await world.held(key.result_id)).toHaveLength(1);
    await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
    expect(await world.born(key.result_id)).toHaveLength(1);
  });

  it('announces the result without the PDF when it is given up, and again with a later one', async () => {
    const { key } = await world.scored(withPdf);
    await world.born(key.result_id);
    const giveUp = (attempt: number) =>
      world.writeAsWorker((trx) => trx.count(giveUpPdf(key.result_id, attempt)));
    await giveUp(key.attempt + 1);
    expect(await world.born(key.result_id)).toEqual([]);
    await giveUp(key.attempt);
    await giveUp(key.attempt);
    expect(await world.born(key.result_id)).toEqual([['interview_result', allScores]]);
    expect(await world.held(key.result_id)).toEqual([]);
    await world.writeAsWorker((trx) => recordPdf(trx, key, pdf));
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'pdf_export_url']]);
    await giveUp(key.attempt);
    expect(await world.show(key.result_id)).toMatchObject({ pdf_failed_at: null });
  });

  it('announces everything once when the PDF is switched off during the hold, and later changes at once', async () => {
    const { enrolment, key } = await world.scored(withPdf);
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: true }));
    const other = await world.scored(withPdf);
    await Promise.all([key, other.key].map(({ result_id }) => world.born(result_id)));
    await switchOff(enrolment);
    expect(await world.born(key.result_id)).toEqual([
      ['interview_result', `${allScores}, recruiter_go_next_round`],
    ]);
    expect([await world.held(key.result_id), await world.held(other.key.result_id)]).toEqual([
      [],
      [expect.any(Array)],
    ]);
    expect(await world.born(other.key.result_id)).toEqual([]);
    await world.asRecruiter((trx) => decideResult(trx, key.result_id, { recruiter_go_next_round: null }));
    expect(await world.born(key.result_id)).toEqual([['interview_result', 'recruiter_go_next_round']]);
  });

  it.each(['scored first', 'switched off first'])(
    'announces a result once that is scored while the PDF is switched off, %s',
    async (first) => {
      const enrolment = await world.enrol(withPdf);
      const key = await takeInterview(world, { enrolment, until: 'submitted' });
      await world.born(key.result_id);
      const score = (then?: () => Promise<unknown>) =>
        world.writeAsWorker(async (trx) => {
          await recordScores(trx, key, scores, []);
          await then?.();
        });
      const off = (then?: () => Promise<unknown>) => switchOff(enrolment, then);
      const [leading, following] = first === 'scored first' ? [score, off] : [off, score];
      let followed: Promise<unknown> = Promise.resolve();
      await leading(async () => {
        followed = following();
        await waitFor('the other one to wait', async () => {
          const waiting = await world.database.rows(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return waiting.length === 1;
        });
      });
      await followed;
      expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_result']);
      expect(await world.held(key.result_id)).toEqual([]);
    },
  );

  it('forgets a held event when the result is reopened, and holds the next attempt for its own PDF', async () => {
    const { enrolment, key } = await world.scored(withPdf);
    await world.asRecruiter((trx) => reopenResult(trx, key.result_id));
    expect(await world.held(key.result_id)).toEqual([]);
    await world.born(key.result_id);
    const again = await takeInterview(world, { enrolment });
    expect((await world.born(key.result_id)).map(([event]) => event)).toEqual(['interview_collected']);
    expect(await world.held(key.result_id)).toHaveLength(1);
    await world.writeAsWorker((trx) => recordPdf(trx, again, pdf));
    expect(await world.born(key.result_id)).toEqual([['interview_result', `${allScores}, pdf_export_url`]]);
  });
});
