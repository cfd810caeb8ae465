import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { startScoringWorld } from './scoring-world';

it('asks for the PDF again when recordScoring is repeated after its commit', async () => {
  const world = await startScoringWorld();
  const run = (activity: (input: never) => Promise<unknown>, input: unknown) =>
    activityEnvironment().run(activity as (given: unknown) => Promise<unknown>, input);
  const { key, result_id } = await world.submitted();
  await world.database.rows(
    `update interview set pdf_export_auto_config = '{"transcript": true}' where id = (select interview_id from interview_result where id = $1)`,
    [result_id],
  );
  await run(world.scoring.openScoring, key);
  const first = await run(world.scoring.recordScoring, key);
  const second = await run(world.scoring.recordScoring, key);
  await world.close();
  expect(second).toEqual(first);
});
