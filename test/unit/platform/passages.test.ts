import { choosePassages } from '../../../activities/platform/passages';

const filler = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    `Section ${n} is about the garden and the weather of the region.`.repeat(9),
  ).join('\n\n');
const about = 'Refunds: a refund is paid within 14 days after the goods have arrived at the warehouse.';
const long = `${filler(100)}\n\n${about}\n\n${filler(100)}`;

describe('choosePassages', () => {
  it('returns a text that fits as it is', () => {
    expect(choosePassages(about, 'Anything else?', 6_000)).toEqual([about]);
  });

  it('chooses the passages that share the rarest words with the question, within the limit', () => {
    const chosen = choosePassages(long, 'When are refunds of the region paid?', 6_000);
    expect(chosen.join('\n')).toContain(about);
    expect(chosen.join('').length).toBeLessThanOrEqual(6_000);
    expect(chosen.every((passage) => passage.length <= 1_000 && long.includes(passage))).toBe(true);
    expect(chosen.map((passage) => long.indexOf(passage))).toEqual(
      chosen.map((passage) => long.indexOf(passage)).toSorted((one, other) => one - other),
    );
  });

  it('compares pairs of characters in scripts without spaces', () => {
    const text = `${'庭と天気についての説明です。'.repeat(900)}返金は商品の到着後14日以内に支払われます。${'庭と天気についての説明です。'.repeat(900)}`;
    expect(choosePassages(text, '返金はいつですか', 6_000).join('')).toContain('返金は商品の到着後14日以内');
  });

  it('returns the beginning of a text that shares no word with the question', () => {
    const [first = ''] = choosePassages(long, '—', 6_000);
    expect(long.startsWith(first)).toBe(true);
  });

  it('cuts a text without spaces or ends anywhere, but no character in two', () => {
    const text = `a${'😀'.repeat(5_000)}`;
    expect(choosePassages(text, 'x', 6_000).every((passage) => passage.isWellFormed())).toBe(true);
  });
});
