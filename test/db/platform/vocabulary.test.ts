import { invitationChannels, invitationResults } from '../../../db/people/public';
import { environments } from '../../../db/platform/vocabulary';
import {
  coachStatuses,
  completionReasons,
  processingStatuses,
  resultStatuses,
  transcriptViews,
} from '../../../db/results/vocabulary';
import { scoringStates } from '../../../db/scoring/public';
import { webhookEvents } from '../../../db/webhooks/vocabulary';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});

/** Returns the values that the CHECK constraint of a column allows. */
async function listed(table: string, column: string): Promise<string[]> {
  const [check] = await database.rows<{ definition: string }>(
    `select pg_get_constraintdef(c.oid) as definition from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
     where c.conrelid = $1::regclass and a.attname = $2 and c.contype = 'c'`,
    [table, column],
  );
  return [...(check?.definition ?? '').matchAll(/'([^']+)'::text/g)].map(([, text]) => text ?? '');
}

describe('the CHECK of', () => {
  it.each<[table: string, column: string, vocabulary: readonly string[]]>([
    ['interview_result', 'status', resultStatuses],
    ['interview_result', 'interview_status', coachStatuses],
    ['interview_result', 'processing_status', processingStatuses],
    ['interview_result', 'ai_completion_reason', completionReasons],
    ['score_record', 'state', scoringStates],
    ['interview_result', 'environment', environments],
    ['result_question', 'view', transcriptViews],
    ['invitation', 'result', invitationResults],
    ['invitation', 'channel', invitationChannels],
    ['webhook_endpoint', 'events', webhookEvents],
    ['webhook_delivery', 'event', [...webhookEvents, 'test']],
  ])('%s.%s accepts the values of the vocabulary and no other', async (table, column, vocabulary) => {
    expect((await listed(table, column)).toSorted()).toEqual([...vocabulary].toSorted());
  });
});
