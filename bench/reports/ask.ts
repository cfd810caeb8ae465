import type { Pool } from 'pg';
import { Agent, request } from 'undici';
import { checkReport } from '../../api/reports/language/check-definition';
import type { CheckedBlock } from '../../db/reports/checked-report';
import { compileBlock } from '../../db/reports/compile-block';
import { datasets } from '../../db/reports/datasets/index';
import type { BenchStack } from '../stack';
import type { Question } from './questions';

/** A row of an answer: dimensions, then measures. */
export type AnswerRow = Record<string, unknown>;
/** `from` and `to` are local days; both are included. */
export type Period = { from: string; to: string };

const dayMs = 86_400_000;
const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
/** The rows are spread over this many days (three years), and every period lies within them. */
const daysWithRows = 1_095;

let asked = 0;
/** Returns a period that no earlier call has used, so that no cache can have its result. */
export function newPeriod({ days }: Question): Period {
  const shifts = daysWithRows - days - 60;
  asked += 1;
  const shift = asked % shifts;
  return { from: dateOf(days - 1 + shift + Math.floor(asked / shifts)), to: dateOf(shift) };
}

export type Sources = ReturnType<typeof openSources>;

/**
 * Opens the two sources that answer a question: the operation over HTTP, and SQL that reads every attempt instead of
 * the sums by day.
 */
export function openSources({ stack }: BenchStack, readers: Pool) {
  const agent = new Agent({ keepAliveTimeout: 60_000 });

  async function send(url: string, headers: Record<string, string>, body?: object): Promise<unknown> {
    const response = await request(url, {
      dispatcher: agent,
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.body.text();
    if (response.statusCode !== 200 || text.includes('"ok":false'))
      throw new Error(`${url}: ${response.statusCode} ${text.slice(0, 1_000)}`);
    return JSON.parse(text);
  }

  const token = { authorization: `Bearer ${stack.tokens.merchant_owner}` };
  return {
    /** Runs the operation in the time zone of the merchant, for which the worker has computed sums by day. */
    preview: async ({ blocks }: Question, period: Period): Promise<AnswerRow[][]> => {
      const definition = toDefinition(blocks, period);
      const reply = (await send(`${stack.base_url}/report-preview`, token, { definition })) as {
        blocks: { rows: AnswerRow[] }[];
      };
      return reply.blocks.map(({ rows }) => rows);
    },

    /**
     * Runs the SQL of the same report over the single attempts, without the sums by day. Returns the rows unchanged.
     */
    runSql: async ({ blocks }: Question, period: Period): Promise<AnswerRow[][]> => {
      const definition = toDefinition(blocks, period);
      const checked = checkReport({ definition, datasets, now: new Date(), merchantZone });
      if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
      const { blocks: ready, checkedFilters } = checked.report;
      const answers: AnswerRow[][] = [];
      for (const block of ready as readonly CheckedBlock[]) {
        const { text, values } = compileBlock(block, checkedFilters).rows;
        answers.push((await readers.query<AnswerRow>(text, values)).rows);
      }
      return answers;
    },

    /** Makes a call that verifies the same token and reads one row. */
    readRow: () =>
      send(`${stack.base_url}/job-interview-get?position_id=${stack.ids.active_interview}`, token),

    close: () => agent.close(),
  };
}

/** The time zone of the bench's merchant. Its days begin at other times than days in UTC. */
export const merchantZone = 'Europe/Amsterdam';

const toDefinition = (blocks: Question['blocks'], period: Period) => ({
  schema: 'platform.report/v1',
  title: 'Bench',
  filters: { period: { preset: 'custom', ...period } },
  blocks,
});
