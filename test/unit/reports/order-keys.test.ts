import { orderKeys } from '../../../api/reports/language/order-keys';

describe('orderKeys', () => {
  it('writes the keys of a report and its blocks in the order of the language, and loses none', () => {
    const stored = {
      title: 'A',
      blocks: [{ id: 'x', own: 1, type: 'kpi', measures: [], dataset: 'd' }, 7],
      schema: 's',
    };
    expect(JSON.stringify(orderKeys(stored))).toBe(
      '{"schema":"s","title":"A","blocks":[{"id":"x","type":"kpi","dataset":"d","measures":[],"own":1},7]}',
    );
    expect(orderKeys({ blocks: 'none' })).toEqual({ blocks: 'none' });
  });
});
