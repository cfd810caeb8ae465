import type { VNode } from 'preact';
import { defaultWidthOf, maxWidth } from '../language/limits';

export type LayoutBlock = { type?: unknown; width?: unknown };
type Place = { type: string; x: number; y: number; width: number; height: number };

/** The width of a column, the gap between blocks and the height of the thumbnail, in pixels. */
const [column, gap, viewHeight] = [13, 3, 96];
const heights: Record<string, number> = { kpi: 16, text: 16 };
const defaultHeight = 34;

/** Places blocks in rows of 12 columns, as the page of a report does. */
export function placeBlocks(blocks: readonly LayoutBlock[]): Place[] {
  const places: Place[] = [];
  let [at, y, rowHeight] = [0, 0, 0];
  for (const { type, width } of blocks) {
    const name = typeof type === 'string' ? type : '';
    const columns = typeof width === 'number' ? Math.min(maxWidth, Math.max(1, width)) : defaultWidthOf(name);
    if (at + columns > maxWidth) {
      y += rowHeight + gap;
      [at, rowHeight] = [0, 0];
    }
    const height = heights[name] ?? defaultHeight;
    places.push({ type: name, x: at * column, y, width: columns * column - gap, height });
    at += columns;
    rowHeight = Math.max(rowHeight, height);
  }
  return places;
}

/**
 * Draws a small picture of a report's layout: the positions and types of its blocks. It shows no data, because a list
 * of 50 reports would then run up to 600 queries.
 */
export const Thumbnail = ({ blocks }: { blocks: readonly LayoutBlock[] }): VNode => (
  <svg
    class="thumbnail"
    viewBox={`0 0 ${maxWidth * column - gap} ${viewHeight}`}
    preserveAspectRatio="xMidYMin slice"
    aria-hidden="true"
  >
    {placeBlocks(blocks)
      .filter(({ y }) => y < viewHeight)
      .map((place) => (
        <g transform={`translate(${place.x} ${place.y})`}>
          <rect class="sheet" width={place.width} height={place.height} rx="2" />
          <path class={`sketch ${place.type}`} d={sketchOf(place)} />
        </g>
      ))}
  </svg>
);

/** The heights of the bars and of the points of the line, as shares of the available height. */
const ups = [0.45, 0.6, 0.5, 0.75, 0.65, 0.9, 0.8, 1];

function sketchOf({ type, width, height }: Place): string {
  const [right, bottom] = [width - 5, height - 6];
  const room = bottom - 6;
  const step = (right - 5) / ups.length;
  switch (type) {
    case 'kpi':
      return [0, 1, 2, 3]
        .map((card) => 5 + (card * (right - 5)) / 4)
        .filter((x) => x + 8 <= right)
        .map((x) => `M${round(x)},6h8v4h-8z`)
        .join('');
    case 'line':
      return ups
        .map(
          (up, at) => `${at === 0 ? 'M' : 'L'}${round(5 + (at + 0.5) * step)},${round(bottom - up * room)}`,
        )
        .join('');
    case 'bar':
      return ups
        .map(
          (up, at) =>
            `M${round(5 + at * step)},${bottom}v${round(-up * room)}h${round(step * 0.65)}v${round(up * room)}z`,
        )
        .join('');
    case 'pie': {
      const [x, y, radius] = [round(width / 2), round(height / 2), Math.min(width, height) / 2 - 5];
      return `M${x},${y}m${round(-radius)},0a${radius},${radius} 0 1 0 ${2 * radius},0a${radius},${radius} 0 1 0 ${-2 * radius},0`;
    }
    case 'funnel':
      return [1, 0.7, 0.4]
        .map(
          (share, at) =>
            `M${round(width / 2 - (share * (right - 5)) / 2)},${6 + at * 8}h${round(share * (right - 5))}v5h${round(-share * (right - 5))}z`,
        )
        .join('');
    default:
      return Array.from({ length: Math.floor(room / 6) + 1 }, (_, at) => `M5,${7 + at * 6}H${right}`).join(
        '',
      );
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
