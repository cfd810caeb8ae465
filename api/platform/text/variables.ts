import { z } from 'zod';

/** A variable that is a port. */
export const portVariable = z.coerce.number().int().min(1).max(65_535);

/** Reads the environment variables of a process. Throws an error with one line for each invalid variable. */
export function readVariables<Variables>(
  variables: z.ZodType<Variables>,
  environment: NodeJS.ProcessEnv,
): Variables {
  const parsed = variables.safeParse(environment);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
}
