import { writeFileSync } from 'node:fs';
import type { Bars } from '../bars';
import { share } from '../stack';
import { composeAnswers, computeCutIns } from './cut-ins';
import type { CutIns } from './cut-ins';
import { patienceMs, unfinishedMs } from './overhead';

const shares = [0.02, 0.05, 0.1, 0.15];
/** The patience after words that sound finished, in milliseconds. */
const patiences = Array.from({ length: 13 }, (_, index) => 1_000 + 250 * index);
const picture = 'docs/live-cut-ins.svg';

type Line = { name: string; color: string; points: [ms: number, CutIns][] };

/** Prints how often the interviewer speaks too early, and draws it over the patience. */
export function measureCutIns(bars: Bars): void {
  console.log('\ncut-ins: 200 synthetic answers with one to four pauses of 0.5 to 4 s');
  const colors = ['#1f6f3d', '#1b55c0', '#8a4fb8', '#b4531c'];
  const lines = shares.map((part, index): Line => {
    const answers = composeAnswers(part);
    const at = (finishedMs: number) => computeCutIns(answers, { finishedMs, unfinishedMs });
    const { share: cut, withdrawn, waitMs } = at(patienceMs);
    console.log(
      `  if ${String(100 * part).padStart(2)} % of the pauses sound finished       ${percent(cut)} too early (${percent(withdrawn)} are taken back), wait at the end p50 / p95 ${waitMs.p50} / ${waitMs.p95} ms`,
    );
    return {
      name: `${100 * part} % of the pauses sound finished`,
      color: colors[index] ?? '',
      points: patiences.map((ms) => [ms, at(ms)]),
    };
  });
  const answers = composeAnswers(0.15);
  const one: Line = {
    name: 'the same patience after all words',
    color: '#6b7280',
    points: patiences.map((ms) => [ms, computeCutIns(answers, { finishedMs: ms, unfinishedMs: ms })]),
  };
  const worst = computeCutIns(answers, { finishedMs: patienceMs, unfinishedMs });
  bars.atMost('too early, if 15 % of the pauses sound finished', 100 * worst.share, 2, ' %');
  bars.atMost('wait at a true end, p50', worst.waitMs.p50 / 1_000, 2, ' s');
  if (share === 1) writeFileSync(picture, draw([one, ...lines.toReversed()]));
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const left = 60;
const top = 20;
const width = 520;
const height = 260;
const maxShare = 0.3;
const x = (ms: number): number => left + ((ms - 1_000) / 3_000) * width;
const y = (part: number): number => top + height - (Math.min(part, maxShare) / maxShare) * height;

function draw(lines: readonly Line[]): string {
  const grid = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3].map(
    (part) =>
      `<path d="M${left} ${y(part)}h${width}" stroke="#d5d9e0"/><text x="${left - 8}" y="${y(part) + 4}" text-anchor="end">${100 * part} %</text>`,
  );
  const ticks = [1, 1.5, 2, 2.5, 3, 3.5, 4].map(
    (s) => `<text x="${x(1_000 * s)}" y="${top + height + 20}" text-anchor="middle">${s} s</text>`,
  );
  const curves = lines.map(({ name, color, points }, index) => {
    const shown = points.filter(([, { share }]) => share <= maxShare);
    const path = shown.map(([ms, { share }]) => `${x(ms)} ${y(share).toFixed(1)}`).join('L');
    const labelY = 360 + 18 * index;
    return `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2"/><path d="M${left} ${labelY - 4}h20" stroke="${color}" stroke-width="2"/><text x="${left + 28}" y="${labelY}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 450" font-family="system-ui, sans-serif" font-size="12" fill="#1f2937">
<title>Answers in which the interviewer speaks too early, over the patience after words that sound finished</title>
<rect width="620" height="450" fill="#fff"/>
${[...grid, ...ticks, ...curves].join('\n')}
<path d="M${x(patienceMs)} ${top}v${height}" stroke="#1f2937" stroke-dasharray="4 4"/>
<text x="${x(patienceMs) + 6}" y="${top + 12}">default</text>
<text x="${left + width / 2}" y="330" text-anchor="middle">patience after words that sound finished (after others 4 s)</text>
</svg>
`;
}
