import { randomUUID } from 'node:crypto';
import { merchants } from '../../local/seed/accounts';
import type { TestDatabase } from './database';

export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  state: string;
  series: number;
  attempts: number;
  owner: string | null;
  triggered_by: string | null;
  finished: boolean;
  due: boolean;
};

/** Endpoints and deliveries as the tests of the flows need them, past the doors. */
export function webhookRows(database: TestDatabase) {
  const insert = async (table: string, columns: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(columns);
    const [row] = await database.rows<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
      Object.values(columns),
    );
    return row?.id ?? '';
  };
  return {
    endpoint: (row: Record<string, unknown> = {}) =>
      insert('webhook_endpoint', {
        merchant_id: merchants.main.id,
        environment: 'production',
        url: 'https://hooks.example/secret-path',
        events: ['interview_result'],
        ...row,
      }),
    /** Deliveries of an endpoint, each like `row`; their ids in order. */
    deliver: async (endpointId: string, row: Record<string, unknown> = {}, count = 1): Promise<string[]> => {
      const columns: Record<string, unknown> = {
        merchant_id: merchants.main.id,
        environment: 'production',
        endpoint_id: endpointId,
        event: 'interview_result',
        result_id: randomUUID(),
        reason: 'score',
        ...row,
      };
      const names = Object.keys(columns);
      const inserted = await database.rows<{ id: string }>(
        `insert into webhook_delivery (${names.join(', ')})
         select ${names.map((_, n) => `$${n + 2}`).join(', ')} from generate_series(1, $1) returning id`,
        [count, ...Object.values(columns)],
      );
      return inserted.map(({ id }) => id).sort();
    },
    deliveries: (endpointId: string) =>
      database.rows<DeliveryRow>(
        `select id, endpoint_id, state, series, attempts, owner, triggered_by, finished_at is not null as finished,
           next_attempt_at <= now() as due
         from webhook_delivery where endpoint_id = $1 order by id`,
        [endpointId],
      ),
  };
}
