import { resultEvents } from '../../../db/webhooks/vocabulary';
import { takeInterview } from '../../../local/demo/candidate';
import { uuid } from '../platform/world';
import { createResultWorld } from '../results/result-world';

export type AnnouncingWorld = Awaited<ReturnType<typeof createAnnouncingWorld>>;

/** The fields that the first scores change, in the order of the documentation. */
export const allScores =
  'processing_status, score, ai_analysis_recruiter_score, ai_analysis_recruiter, ai_analysis_recruiter_why_hire, ai_analysis_recruiter_why_not_hire';

/** Creates test data with results, and one endpoint of the first merchant that is subscribed to all events about results. */
export async function createAnnouncingWorld() {
  const world = await createResultWorld();
  await world.database.rows('update webhook_endpoint set deleted_at = now()');

  async function makeEndpoint(changes: Record<string, unknown> = {}): Promise<string> {
    const { merchantId, environment } = world.cell;
    const id = uuid();
    await world.database.rows(
      `insert into webhook_endpoint (id, merchant_id, environment, url, events, enabled, paused_reason, paused_at, deleted_at)
     select id, merchant_id, environment, 'https://any.example', events, enabled, paused_reason, paused_at, deleted_at
     from jsonb_populate_record(null::webhook_endpoint, $1)`,
      [
        JSON.stringify({
          id,
          merchant_id: merchantId,
          environment,
          events: resultEvents,
          enabled: true,
          ...changes,
        }),
      ],
    );
    return id;
  }

  /** Returns the event and reason of each new delivery of a result, oldest first, and deletes these deliveries. */
  async function born(id: string): Promise<[event: string, reason: string][]> {
    const rows = await world.database.rows<{ event: string; reason: string; endpoint_id: string }>(
      `with gone as (
         delete from webhook_delivery where result_id = $1 returning event, reason, endpoint_id, id
       )
       select event, reason, endpoint_id from gone order by id`,
      [id],
    );
    expect(new Set(rows.map((row) => row.endpoint_id)).size).toBeLessThanOrEqual(1);
    return rows.map(({ event, reason }) => [event, reason]);
  }

  /** Creates a scored result. Deliveries about its collection and its scoring already exist. */
  const scored = async (changes: Record<string, unknown> = {}) => {
    const enrolment = await world.enrol(changes);
    return { enrolment, key: await takeInterview(world, { enrolment }) };
  };

  /** Changes columns of a result. */
  const change = (id: string, columns: object) =>
    world.database.rows(
      `update interview_result r set (${Object.keys(columns).join(', ')}) =
         (select ${Object.keys(columns).join(', ')} from jsonb_populate_record(null::interview_result, $2) g)
       where id = $1`,
      [id, JSON.stringify(columns)],
    );
  /** Some events of a result wait for its PDF. Returns their reasons. */
  const held = async (id: string) =>
    (
      await world.database.rows<{ reasons: string[] }>(
        'select reasons from webhook_hold where result_id = $1',
        [id],
      )
    ).map(({ reasons }) => reasons);

  return { ...world, makeEndpoint, born, scored, change, held, endpoint: await makeEndpoint() };
}
