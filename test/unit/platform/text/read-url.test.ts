import { httpsUrl } from '../../../../api/platform/text/https-url';
import { webhookUrl } from '../../../../api/platform/text/webhook-url';
import { readUrl } from '../../../../db/platform/read-url';

describe('readUrl', () => {
  it('reads an address with letters outside ASCII any number of times', () => {
    const refused = Array.from({ length: 10_000 }).filter(
      () => !readUrl('https://bücher.example/ä') || !httpsUrl.safeParse('https://bücher.example/ä').success,
    );
    expect(refused).toHaveLength(0);
    expect(webhookUrl.parse('https://bücher.example/ä')).toBe('https://xn--bcher-kva.example/%C3%A4');
  });

  it.each(['', 'bücher', '//example.com', 'https://', 'https://exa mple.com'])(
    'returns nothing for %j',
    (text) => {
      expect(readUrl(text)).toBeUndefined();
    },
  );
});
