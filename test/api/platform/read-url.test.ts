import { httpsUrl } from '../../../api/platform/text/https-url';
import { readUrl } from '../../../db/platform/read-url';
import { webhookUrl } from '../../../api/platform/text/webhook-url';

describe('an address', () => {
  it('with letters that are not ASCII: is read however often it was', () => {
    const refused = Array.from({ length: 30_000 }).filter(
      () => !readUrl('https://bücher.example/ä') || !httpsUrl.safeParse('https://bücher.example/ä').success,
    );
    expect(refused).toHaveLength(0);
    expect(webhookUrl.parse('https://bücher.example/ä')).toBe('https://xn--bcher-kva.example/%C3%A4');
  });

  it.each(['', 'bücher', '//example.com', 'https://', 'https://exa mple.com'])('%j: is none', (text) => {
    expect(readUrl(text)).toBeUndefined();
  });
});
