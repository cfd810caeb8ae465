/** How tests reach the servers that the global setup has started, and the folder of this test run. */
type Infrastructure = {
  folder: string;
  /** The folder for the data of Postgres. */
  dataFolder: string;
  postgresPort: number;
  /** The port of the PgBouncer that all tests use, if there is one (pgbouncer.ts). */
  poolPort?: number;
  postgresPassword: string;
  apiPassword: string;
  workerPassword: string;
  temporalAddress: string;
  /** Where test files borrow what they share (lender.ts). */
  lenderUrl: string;
};

const variable = 'TEST_INFRASTRUCTURE';

export function publishInfrastructure(infrastructure: Infrastructure): void {
  process.env[variable] = JSON.stringify(infrastructure);
}

export function infrastructure(): Infrastructure {
  return JSON.parse(process.env[variable] ?? '{}') as Infrastructure;
}

/** Borrows something that test files share (lender.ts). */
export async function borrow<Lent>(what: string, query: Record<string, string> = {}): Promise<Lent> {
  const slot = process.env['JEST_WORKER_ID'] ?? '1';
  const asked = new URLSearchParams({ slot, ...query }).toString();
  const response = await fetch(`${infrastructure().lenderUrl}/${what}?${asked}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as Lent;
}
