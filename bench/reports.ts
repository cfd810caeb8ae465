import { Pool } from 'pg';
import { createBars } from './bars';
import type { Bars } from './bars';
import { merchantZone, newPeriod, openSources } from './reports/ask';
import type { Sources } from './reports/ask';
import { compareAnswers } from './reports/compare-answers';
import { fill, merchants } from './reports/fill';
import { byDepartment, month, twelveBlocks, twoYears, twoYearsOfOthers } from './reports/questions';
import type { Question } from './reports/questions';
import { race } from './reports/race';
import { measureTriggers } from './reports/trigger-cost';
import { machine, scaled, startBenchStack } from './stack';

const sizes = [10_000, 100_000, 1_000_000].map(scaled);
const calls = scaled(2_000);
const tenth = Math.ceil(calls / 10);
const questions = [month, twoYears, twoYearsOfOthers, byDepartment, twelveBlocks];

/**
 * `npm run bench:reports`: measures reports of the largest merchant among up to a million attempts. Each call asks
 * for a new period. Compares the times with those of SQL without the sums by day; the answers of both must be the same.
 * Exits with 1 if a bar is missed.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bars = createBars();
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const { database_url: connectionString, merchant_id: merchantId } = bench.stack;
  const admin = new Pool({ connectionString, max: 20 });
  const settings = `-c timezone=UTC -c role=app_user -c app.merchant_id=${merchantId} -c app.environment=production`;
  const readers = new Pool({ connectionString, max: 8, options: settings });
  const sources = openSources(bench, readers);
  try {
    await admin.query('update merchant set time_zone = $2 where id = $1', [merchantId, merchantZone]);
    let filled = 0;
    for (const all of sizes) {
      await fill(bench, admin, filled, all);
      filled = all;
      console.log(
        `\n${all.toLocaleString('en')} attempts of ${merchants} merchants, 2.6 % of them of this one`,
      );
      for (const question of questions) {
        const rows = await compareAnswers(sources, question);
        if (all === sizes.at(-1))
          console.log(`  ${question.name.padEnd(26)} ${rows} rows are the same in both`);
      }
      if (all !== sizes.at(-1))
        for (const question of [month, twoYears]) await compare(sources, question, tenth);
    }
    await judge(sources, bars);
    await measureTriggers(bench, admin);
  } finally {
    await sources.close();
    await readers.end();
    await admin.end();
    await bench.stop();
  }
  bars.judge();
}

/** Prints the median times of the two sources and of a call that reads one row, and returns them. */
async function compare(sources: Sources, question: Question, calls: number, clients = 1) {
  const times = await race({
    kinds: {
      http: () => sources.preview(question, newPeriod(question)),
      sql: () => sources.runSql(question, newPeriod(question)),
      row: () => sources.readRow(),
    },
    calls,
    warmUp: tenth,
    clients,
  });
  const name = clients === 1 ? question.name : `${question.name}, ${clients} clients`;
  console.log(
    `  ${name.padEnd(30)} ${ms(times.http)}   SQL alone ${ms(times.sql)}   one row ${ms(times.row)}`,
  );
  return times;
}

/** Measures all questions on the full data, and how much time the cache saves. */
async function judge(sources: Sources, bars: Bars): Promise<void> {
  console.log('\nmedian times, uncached');
  const ofMonth = await compare(sources, month, calls);
  const ofTwoYears = await compare(sources, twoYears, Math.ceil(calls / 2));
  const ofOthers = await compare(sources, twoYearsOfOthers, tenth);
  await compare(sources, byDepartment, tenth);
  const ofTwelve = await compare(sources, twelveBlocks, tenth);
  await compare(sources, month, calls, 8);
  const cached = await compareCached(sources, 1);
  await compareCached(sources, 8);
  console.log('\nbars, one client');
  bars.atMost('30 days by week, more than its SQL alone', ofMonth.http - ofMonth.sql, 2, ' ms');
  bars.atMost('30 days by week, cached, compared with a read of one row', cached, 1.5);
  bars.atMost('two years by week', ofTwoYears.http, 5, ' ms');
  bars.atMost('two years by week, people and medians', ofOthers.http, 60, ' ms');
  bars.atMost('12 blocks, 90 days', ofTwelve.http, 25, ' ms');
}

/** Prints the times of a report that is in the cache, of one that is not, and of a call that reads one row. */
async function compareCached(sources: Sources, clients: number): Promise<number> {
  const period = newPeriod(month);
  const times = await race({
    kinds: {
      row: () => sources.readRow(),
      cached: () => sources.preview(month, period),
      uncached: () => sources.preview(month, newPeriod(month)),
    },
    calls,
    warmUp: tenth,
    clients,
  });
  const ratio = (time: number) => `${ms(time)} (${(time / times.row).toFixed(2)} ×)`;
  console.log(
    `\n30 days by week, ${clients} ${clients === 1 ? 'client' : 'clients'}: one row ${ms(times.row)}, cached ${ratio(times.cached)}, uncached ${ratio(times.uncached)}`,
  );
  return times.cached / times.row;
}

const ms = (time: number) => `${time.toFixed(2)} ms`.padStart(9);

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
