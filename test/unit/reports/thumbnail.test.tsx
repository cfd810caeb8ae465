import { renderToString } from 'preact-render-to-string';
import { placeBlocks, Thumbnail } from '../../../api/reports/pages/thumbnail';
import { templates } from '../../../api/reports/templates';

describe('the thumbnail of a report', () => {
  it('places blocks in rows of 12 columns', () => {
    const places = placeBlocks([
      { type: 'kpi', width: 12 },
      { type: 'line', width: 8 },
      { type: 'pie', width: 4 },
      { type: 'table' },
    ]);
    expect(places.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, 19],
      [104, 19],
      [0, 56],
    ]);
    expect(places.map(({ width }) => width)).toEqual([153, 101, 49, 153]);
  });

  it('draws every template, and blocks that are no longer valid, without styles', () => {
    const odd = [{ type: 'line', width: 1 }, { type: 7, width: 'x' }, { type: 'pie', width: 99 }, {}];
    for (const blocks of [odd, ...[...templates.values()].map(({ definition }) => definition.blocks)]) {
      const html = renderToString(<Thumbnail blocks={blocks} />);
      expect(html).not.toMatch(/NaN|undefined|style=|width="-/);
      expect(html.match(/<rect/g)?.length).toBeGreaterThan(1);
    }
  });
});
