import { renderToString } from 'preact-render-to-string';
import type { Block } from '../../../api/reports/charts/block';
import { BlockView } from '../../../api/reports/charts/block-view';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';
import { daily } from '../../unit/reports/chart-blocks';

/**
 * A run that takes no longer than this is fast enough, so no further run is measured. A page of 12 charts takes 35 ms
 * in production and twice as long under Jest.
 */
const enoughMs = 60;
const limitMs = 250;

describe('a page of 12 charts with 500 dates each', () => {
  it(`takes less than ${limitMs} ms of CPU`, () => {
    const blocks: Block[] = Array.from({ length: 12 }, (_, at) =>
      daily(
        at % 2 === 0 ? 'line' : 'bar',
        Array.from({ length: 500 }, (_, day) => (day * (at + 7)) % 97),
        'integer',
        { title: `Chart ${at}` },
      ),
    );
    const page = () =>
      renderToString(
        <>
          {blocks.map((block) => (
            <BlockView {...{ block }} zone="UTC" days={null} />
          ))}
        </>,
      );
    expect(page()).toContain('Chart 11');
    const took = cpuMilliseconds(page, enoughMs);
    process.stdout.write(
      `12 charts of 500 dates: ${Math.round(took)} ms of CPU, ${Math.round(page().length / 1_024)} KB\n`,
    );
    expect(took).toBeLessThan(limitMs);
  });
});
