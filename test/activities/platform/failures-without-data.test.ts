import { ApplicationFailure } from '@temporalio/common';
import pino from 'pino';
import { failureSanitizer } from '../../../activities/platform/failures-without-data';
import { errorFacts } from '../../../db/platform/error-facts';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});

/**
 * Runs the statement in an activity. Returns the log lines, and the failure that Temporal stores in the workflow's
 * history.
 */
async function runStatement(statement: string): Promise<{ log: string; failure: unknown }> {
  const lines: string[] = [];
  const log = pino({ serializers: { err: errorFacts } }, { write: (line: string) => void lines.push(line) });
  const failure: unknown = await failureSanitizer(log)
    .execute?.({ args: [], headers: {} }, async () => database.rows(statement))
    .catch((error: unknown) => error);
  return { log: lines.join(''), failure };
}

describe('an activity that fails in the database', () => {
  it.each([
    ['a value of the wrong kind', `select 'secret@person.example'::uuid`, '22P02'],
    [
      'a row that breaks a constraint',
      `insert into profile (role, email, email_key) values ('user', 'secret@person.example', 'x')`,
      '23514',
    ],
  ])('keeps the data out of log and history: %s', async (_case, statement, code) => {
    const { log, failure } = await runStatement(statement);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(String(failure)).toContain(code);
    expect(log).toContain(code);
    expect(`${log}${String(failure)}${JSON.stringify(failure)}`).not.toContain('secret@person.example');
  });

  it('passes an error of our own on unchanged', async () => {
    const own = ApplicationFailure.nonRetryable('the model refused', 'ModelAnswerUnusable');
    const run = failureSanitizer(pino({ level: 'silent' })).execute?.({ args: [], headers: {} }, () =>
      Promise.reject(own),
    );
    await expect(run).rejects.toBe(own);
  });
});
