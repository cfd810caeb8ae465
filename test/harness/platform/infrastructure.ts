/** How tests reach the servers that the global setup has started, and the folder of this test run. */
type Infrastructure = {
  folder: string;
  postgresPort: number;
  /** The port of the PgBouncer that all tests use, if there is one (pgbouncer.ts). */
  poolPort?: number;
  postgresPassword: string;
  apiPassword: string;
  workerPassword: string;
  temporalAddress: string;
};

const variable = 'TEST_INFRASTRUCTURE';

export function publishInfrastructure(infrastructure: Infrastructure): void {
  process.env[variable] = JSON.stringify(infrastructure);
}

export function infrastructure(): Infrastructure {
  return JSON.parse(process.env[variable] ?? '{}') as Infrastructure;
}
