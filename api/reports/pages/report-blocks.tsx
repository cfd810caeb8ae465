import type { VNode } from 'preact';
import type { z } from 'zod';
import { BlockView, daysOfBlock } from '../charts/block-view';
import type { reportRun } from '../report-run';

type Run = z.output<typeof reportRun.reply>;

/** Renders the blocks of a report in a grid. The days of the first block that has a period are shown above the grid. */
export function Blocks({ reply, hrefOf }: { reply: Run; hrefOf?: (blockId: string) => string }): VNode {
  const { blocks, filters } = reply;
  const zone = typeof filters['timezone'] === 'string' ? filters['timezone'] : 'UTC';
  const days = blocks.map(daysOfBlock).find((each) => each !== null) ?? null;
  return (
    <>
      {days !== null && <p class="lead">{days}</p>}
      <div class="report-grid">
        {blocks.map((block) => (
          <BlockView block={block} zone={zone} days={days} csv={hrefOf?.(block.block_id)} />
        ))}
      </div>
    </>
  );
}
