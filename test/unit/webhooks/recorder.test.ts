import { DatabaseError } from 'pg';
import { pino } from 'pino';
import { createRecorder } from '../../../activities/webhooks/sender/recorder';
import type { Database } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import type { LeasedDelivery } from '../../../db/webhooks/deliveries';
import { waitFor } from '../../harness/wait-for';
import { outcomeOf } from '../../harness/webhooks/attempts';

const attempt = (payload: string) => {
  const delivery = { id: crypto.randomUUID(), series: 1, attempts: 0, payload } as LeasedDelivery;
  return { ...outcomeOf(delivery, {}), delivery };
};

/** Records attempts. `reject` may throw for the statement of these deliveries. Returns how many each statement had. */
async function record(
  attempts: ReturnType<typeof attempt>[],
  reject: (ids: string[]) => void = () => undefined,
) {
  const statements: number[] = [];
  const queryAsWorker = async (query: Query) => {
    const ids = ('values' in query ? query.values?.[2] : []) as string[];
    statements.push(ids.length);
    reject(ids);
    return ids.map((id) => ({ id }));
  };
  const database = { queryAsWorker } as Pick<Database, 'queryAsWorker'>;
  const recorder = createRecorder(database, pino({ enabled: false }), () => undefined);
  for (const one of attempts) recorder.add(one);
  await waitFor('the record', async () => recorder.unrecorded().length === 0);
  return statements;
}

describe('a statement of the recorder', () => {
  it('has bodies of at most 4 MiB', async () => {
    const body = 'a'.repeat(256 * 1024);
    expect(await record(Array.from({ length: 20 }, () => attempt(body)))).toEqual([16, 4]);
  });

  it('is not tried again for an invalid value: then each outcome is recorded alone', async () => {
    const attempts = ['a', 'b', 'c'].map(attempt);
    const statements = await record(attempts, (ids) => {
      if (ids.length > 1) throw Object.assign(new DatabaseError('invalid', 0, 'error'), { code: '22P05' });
    });
    expect(statements).toEqual([3, 1, 1, 1]);
  });
});
