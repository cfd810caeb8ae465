import { createServer } from 'node:http';
import type { Pool } from 'pg';
import { findDefinition } from '../db/interviews/interviews';
import { openPool } from '../db/platform/pool';

/**
 * Settings of the bare server. `scopeValues` are the parameters of the statement with which the API begins every
 * transaction, so that both servers run the same statement.
 */
export type BareSettings = {
  databaseUrl: string;
  poolSize: number;
  pipelined: boolean;
  scopeValues: unknown[];
};

const scopeText = 'select * from app.begin_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/**
 * Does the least that a server can do for `job-interview-get`: node:http and pg with the same transaction, without
 * middleware, parsing and checks. The four statements are awaited one by one or, if pipelined, sent together.
 */
function main(): void {
  const settings = JSON.parse(process.argv[2] ?? '{}') as BareSettings;
  const pool: Pool = openPool({
    url: settings.databaseUrl,
    size: settings.poolSize,
    applicationName: 'bare',
    onIdleError: () => undefined,
  });
  const server = createServer(async (request, response) => {
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('position_id') ?? '';
    const client = await pool.connect();
    const scope = { name: 'begin_request', text: scopeText, values: settings.scopeValues };
    let rows: unknown[];
    if (settings.pipelined) {
      const all = [
        client.query('begin read only'),
        client.query(scope),
        client.query(findDefinition(id)),
        client.query('commit'),
      ];
      rows = (await Promise.all(all))[2]?.rows ?? [];
    } else {
      await client.query('begin read only');
      await client.query(scope);
      ({ rows } = await client.query(findDefinition(id)));
      await client.query('commit');
    }
    client.release();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(rows[0]));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
  });
  process.on('disconnect', () => process.exit());
}

main();
