import { machine } from './stack';
import { openGround } from './webhooks/ground';
import { measureDrain, measureFailures, measureLag, measureMemory, measureOthers } from './webhooks/measures';
import { insertResults } from './webhooks/rows';

/**
 * `npm run bench:webhooks`: the goals of docs/benchmarks.md, on a separate Postgres and receiver. `npm run chaos:webhooks`
 * measures kills of the worker. SHARE scales the counts down, as in SHARE=0.1.
 */
async function main(): Promise<void> {
  const share = Number(process.env['SHARE'] ?? 1);
  const of = (count: number) => Math.ceil(count * share);
  console.log(`machine: ${machine()}`);
  if (share !== 1) console.log(`counts: ${share} of the table's`);
  const ground = await openGround();
  const row = (name: string, figure: string, bar: string) =>
    console.log(`  ${name.padEnd(66)} ${figure.padEnd(30)} ${bar}`);
  try {
    await insertResults(ground.admin, 2_000);
    const ours = await measureDrain(ground, of(100_000), 'sender-process');
    const perRow = await measureDrain(ground, of(10_000), 'other-process', { KIND: 'per-row' });
    const graphile = await measureDrain(ground, of(10_000), 'other-process', { KIND: 'graphile-worker' });
    const boss = await measureDrain(ground, of(10_000), 'other-process', { KIND: 'pg-boss' });
    const cpu = ({ cpu: { postgres, sink, senders } }: typeof ours) =>
      `${(postgres + sink + senders).toFixed(3)} s (${postgres.toFixed(3)} + ${senders.toFixed(3)} + ${sink.toFixed(3)})`;
    console.log(`drain to 50 endpoints, 2 KB payload, every attempt recorded`);
    row(
      `${of(100_000)} deliveries, ${ours.attempts} attempts on record`,
      `${ours.perSecond.toFixed(0)}/s`,
      '≥ 12,000/s',
    );
    row(
      '  a transaction per delivery',
      `${perRow.perSecond.toFixed(0)}/s`,
      `ours is ${(ours.perSecond / perRow.perSecond).toFixed(1)}×, ≥ 4×`,
    );
    row(
      '  graphile-worker 0.16.6',
      `${graphile.perSecond.toFixed(0)}/s`,
      `ours is ${(ours.perSecond / graphile.perSecond).toFixed(1)}×`,
    );
    row(
      '  pg-boss 10.4.2',
      `${boss.perSecond.toFixed(0)}/s`,
      `ours is ${(ours.perSecond / boss.perSecond).toFixed(1)}×`,
    );
    row('CPU per 1,000: Postgres + sender + sink', cpu(ours), '≤ 0.12 s');
    row('  a transaction per delivery', cpu(perRow), '');
    row('  graphile-worker 0.16.6', cpu(graphile), '');
    row('  pg-boss 10.4.2', cpu(boss), '');

    const nine = { well: 9, count: of(50_000), illPath: 'wait/3000', illCount: of(100_000) };
    const alone = await measureOthers(ground, { ...nine, ill: 0 });
    const beside = await measureOthers(ground, { ...nine, ill: 1 });
    row(
      'one of ten endpoints answers after 3 s: the others',
      `${beside.toFixed(0)}/s, ${Math.round((beside / alone) * 100)} % of ${alone.toFixed(0)}/s`,
      '≥ 90 %',
    );
    const seventy = { well: 70, count: of(70_000), illPath: 'silent', illCount: of(30_000) };
    const without = await measureOthers(ground, { ...seventy, ill: 0 });
    const silent = await measureOthers(ground, { ...seventy, ill: 30 });
    row(
      '30 endpoints are silent for 60 s: the others',
      `${silent.toFixed(0)}/s, ${Math.round((silent / without) * 100)} % of ${without.toFixed(0)}/s`,
      '≥ 90 %',
    );
    const failures = await measureFailures(ground, of(20_000));
    row('20,000 are answered 500: calls of Temporal', `${failures.signalsPerSecond.toFixed(1)}/s`, '≤ 20/s');
    row(
      "  the loop's rate",
      `${failures.perSecond.toFixed(0)}/s`,
      `${Math.round((failures.perSecond / ours.perSecond) * 100)} % of the drain's`,
    );
    for (const perSecond of [500, 1_000]) {
      const lag = await measureLag(ground, perSecond, 10);
      row(
        `insert → receipt at ${perSecond}/s, p50 / p99`,
        `${lag.p50.toFixed(1)} / ${lag.p99.toFixed(1)} ms`,
        '≤ 4 / 30 ms',
      );
    }
    const memory = await measureMemory(ground, of(1_000_000));
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
    row(
      `memory with ${of(1_000_000)} queued, after 1 s / most in 10 s`,
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
