import { z } from 'zod';
import { migrate } from './migrate';

/**
 * The variables of `npm run migrate`, which creates the roles and runs the migrations. The passwords belong to the
 * logins of the API and the worker.
 */
export const migrateVariables = z.object({
  ADMIN_DATABASE_URL: z
    .url()
    .describe("Postgres itself, never PgBouncer, with the administrator's login on the platform's database"),
  API_DATABASE_PASSWORD: z.string().min(1).optional().describe('Sets the password of `app_api_login`'),
  WORKER_DATABASE_PASSWORD: z.string().min(1).optional().describe('Sets the password of `app_worker_login`'),
});

async function main(): Promise<void> {
  const variables = migrateVariables.safeParse(process.env);
  if (!variables.success) throw new Error(z.prettifyError(variables.error));
  await migrate({
    adminUrl: variables.data.ADMIN_DATABASE_URL,
    apiPassword: variables.data.API_DATABASE_PASSWORD,
    workerPassword: variables.data.WORKER_DATABASE_PASSWORD,
    log: (line) => console.log(line),
  });
}

if (require.main === module)
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
