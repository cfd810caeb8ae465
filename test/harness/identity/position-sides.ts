import { merchants, people } from '../../../local/seed/accounts';
import { cloneInterview, makePosition, peopleCalls } from '../people/people';
import type { Operations } from '../platform/operations';
import type { Reply } from '../platform/platform';
import { ours, putAttempt, putDelivery, putEndpoint } from '../webhooks/webhook-rows';

/**
 * The name of one position, and the ids of the position, its interview, one candidate, the candidate's result and a
 * delivery of this result.
 */
export type Side = {
  position: string;
  interview: string;
  candidate: string;
  result: string;
  delivery: string;
  name: string;
};

/** Makes a position with one interview, an invited candidate, a result and a delivery. */
export async function makeSide(platform: Operations, name: string): Promise<Side> {
  const { database } = platform;
  const interview = await cloneInterview(database, { name: `${name} interview` });
  const position = await makePosition(database, [interview]);
  await database.rows('update position set name = $2, interview_department = $2 where id = $1', [
    position,
    name,
  ]);
  const [row] = await peopleCalls(platform).register(
    [{ email: `${name}@example.com`, name: `${name} candidate` }],
    { interview_id: position, send_email: true },
  );
  if (row?.result.startsWith('Error') !== false) throw new Error(row?.result);
  const [enrolment] = await database.rows<{ id: string }>('select id from enrolment where position_id = $1', [
    position,
  ]);
  const candidate = enrolment?.id ?? '';
  const [result] = await database.rows<{ id: string }>(
    `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, status, interview_status,
       processing_status, started_at, ended_at, submitted_at, score)
     values ($1, 'production', $2, $3, 'active', 'completed', 'completed', now(), now(), now(), 5) returning id`,
    [merchants.main.id, interview, candidate],
  );
  const delivery = await putDelivery(database, await putEndpoint(database), {
    event: 'interview_result',
    result_id: result?.id,
    state: 'gave_up',
  });
  await putAttempt(database, delivery, { request_body: `{"name": "${name}"}` }, ours);
  return { position, interview, candidate, result: result?.id ?? '', delivery, name };
}

/** Returns true if the text contains the name or one of the ids in `side`. */
export const names = (text: string, side: Side): boolean =>
  Object.values(side).some((value) => text.includes(value));

/** Sets the positions that the hiring manager of the seed may see. Without a token, the owner sets them. */
export const give = (
  platform: Operations,
  position_ids: string[] | null,
  more: Record<string, unknown> = {},
  token?: string,
): Promise<Reply> =>
  platform.call('team-member-update', {
    body: { profile_id: people.merchant_selection.id, position_ids, ...more },
    ...(token === undefined ? {} : { token }),
  });
