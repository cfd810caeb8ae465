import { findLinkedInterview } from '../../../db/taking/linked-interview';
import { createTakingWorld } from './taking-world';
import type { TakingWorld } from './taking-world';

/* Tests which status decides whether an attempt at a step of a position begins (docs/interviews.md#positions). */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});
const two = () => world.open([{ question: 'One?' }, { question: 'Two?' }]);

describe('an attempt', () => {
  const makePosition = (status: string, steps: string[]) =>
    world.change(
      `with made as (
           insert into position (merchant_id, environment, name, status, visibility, interview_location)
           values ($1, $2, 'Any', $3, 'merchant_invite', 'Any') returning *
         ), placed as (
           insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
           select merchant_id, environment, made.id, step, place from made, unnest($4::uuid[]) with ordinality as s (step, place)
         )
         select id from made`,
      world.cell.merchantId,
      world.cell.environment,
      status,
      steps,
    );
  it.each([
    ['active', 'archived', 'archived'],
    ['active', 'draft', 'draft'],
    ['archived', 'draft', 'archived'],
    ['draft', 'active', 'draft'],
    ['active', 'active', 'active'],
    ['active', 'deleted', 'active'],
  ])(
    'of a step that is %s by itself, in a position that is %s, begins as if it were %s',
    async (own, position, shown) => {
      const link = await two();
      await world.change('update interview set status = $2 where id = $1', link.interviewId, own);
      await makePosition(position, [link.interviewId]);
      expect((await world.api.query(link, findLinkedInterview))[0]?.status).toBe(shown);
      expect((await world.begin(link)).outcome).toBe(shown === 'active' ? 'begun' : 'closed');
    },
  );

  it.each([
    ['is archived', 'active', `update interview set status = 'archived' where id = $1`],
    ['was deleted', 'deleted', `update interview set status = 'deleted' where id = $1`],
    [
      'is not where the candidate is',
      'archived',
      `update enrolment set interview_id = (select o.id from interview i join interview o using (merchant_id, environment) where i.id = $1 and o.id <> $1 limit 1) where interview_id = $1`,
    ],
  ])(
    'of a candidate of an active position, whose step %s, begins as if it were %s',
    async (_, shown, change) => {
      const link = await two();
      const [position] = await makePosition('active', [link.interviewId]);
      await world.change(
        'update enrolment set position_id = $2 where id = $1',
        link.enrolmentId,
        position?.['id'],
      );
      await world.begin({ ...link, isTest: true });
      await world.change(change, link.interviewId);
      expect((await world.api.query(link, findLinkedInterview))[0]?.status).toBe(shown);
      expect((await world.begin(link)).outcome).toBe(shown === 'active' ? 'begun' : 'closed');
    },
  );
});
