import { machine, scaled } from './stack';
import { openGround } from './webhooks/ground';
import {
  measureBirth,
  measureDrain,
  measureFailures,
  measureLag,
  measureMemory,
  measureOthers,
  measureSlow,
} from './webhooks/measures';
import { insertResults } from './webhooks/rows';

/**
 * `npm run bench:webhooks`: measures the figures that have a goal in docs/benchmarks.md, with a separate Postgres and
 * receiver. `npm run chaos:webhooks` measures what happens when the worker is killed.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const ground = await openGround();
  const row = (name: string, figure: string, bar: string) =>
    console.log(`  ${name.padEnd(70)} ${figure.padEnd(30)} ${bar}`);
  try {
    await insertResults(ground.admin, 2_000);
    const drain = await measureDrain(ground, scaled(60_000));
    row(
      `drain of ${scaled(60_000)} to 50 endpoints, ${drain.attempts} attempts recorded`,
      `${drain.perSecond.toFixed(0)}/s`,
      '',
    );
    const { postgres, senders, sink } = drain.cpu;
    row(
      '  CPU per 1,000: Postgres + sender + sink',
      `${(postgres + sink + senders).toFixed(3)} s (${postgres.toFixed(3)} + ${senders.toFixed(3)} + ${sink.toFixed(3)})`,
      '≤ 0.19 s',
    );
    const compare = async (name: string, others: Parameters<typeof measureOthers>[1], bar: string) => {
      const alone = await measureOthers(ground, { ...others, ill: 0 });
      const beside = await measureOthers(ground, others);
      row(
        name,
        `${beside.toFixed(0)}/s, ${Math.round((beside / alone) * 100)} % of ${alone.toFixed(0)}/s`,
        bar,
      );
    };
    const slow = { well: 9, count: scaled(50_000), ill: 1, illPath: 'wait/3000', illCount: scaled(100_000) };
    const silent = { well: 70, count: scaled(70_000), illPath: 'silent', illCount: scaled(30_000) };
    const comparisons: Parameters<typeof compare>[] = [
      ['one of ten endpoints responds after 3 s: the others', slow, '≥ 95 %'],
      ['30 endpoints are silent: the others', { ...silent, ill: 30 }, '≥ 95 %'],
      ['300 endpoints are silent: the others', { ...silent, ill: 300 }, '≥ 70 %'],
      [
        '300 endpoints of another merchant are silent: two merchants',
        { ...silent, ill: 300, merchants: 3 },
        '≥ 95 %',
      ],
    ];
    for (const comparison of comparisons.slice(0, scaled(comparisons.length))) await compare(...comparison);
    row('an endpoint that takes 3 s', `${(await measureSlow(ground)).toFixed(1)}/s`, '≥ 5/s');
    const failures = await measureFailures(ground, scaled(20_000));
    row(`${scaled(20_000)} responses of 500`, `${failures.toFixed(0)}/s`, '');
    for (const perSecond of [500, 1_000].slice(0, scaled(2))) {
      const lag = await measureLag(ground, perSecond, scaled(10_000) / 1_000);
      row(
        `insert → receipt at ${perSecond}/s, p50 / p99`,
        `${lag.p50.toFixed(1)} / ${lag.p99.toFixed(1)} ms`,
        perSecond === 500 ? 'p50 ≤ 4.5 ms' : '',
      );
    }
    const birth = await measureBirth(ground, scaled(5_000));
    row('CPU of Postgres per change of a result', `${birth.toFixed(2)} ms`, '≤ 0.4 ms');
    const memory = await measureMemory(ground, scaled(1_000_000));
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
    row(
      `memory with ${scaled(1_000_000)} queued, at first / at most`,
      `${megabytes(memory.first)} / ${megabytes(memory.most)} MiB`,
      'flat',
    );
  } finally {
    await ground.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
