import { testRecipients } from '../../../api/people/recipients';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';

const messages = (text: string) => testRecipients.safeParse(text).error?.issues.map(({ message }) => message);

describe('the test recipients of the settings form', () => {
  it('are split, converted to lower case and deduplicated', () => {
    expect(testRecipients.parse(' Ann@Example.com,bo@example.com;\nann@example.com *@example.org ')).toEqual([
      'ann@example.com',
      'bo@example.com',
      '*@example.org',
    ]);
    expect(testRecipients.parse('')).toEqual([]);
  });

  it('may be a hundred addresses of the maximum length', () => {
    const address = (index: number) => `${String(index).padStart(242, 'a')}@example.org`;
    const text = Array.from({ length: 100 }, (_, index) => address(index)).join('\r\n');
    expect(testRecipients.parse(text)).toHaveLength(100);
    expect(messages(`${text}\r\nb@example.org`)).toHaveLength(1);
  });

  it('are rejected as one field, because the form has one text', () => {
    for (const text of ['nonsense', 'ann@example.com *@*'])
      expect(testRecipients.safeParse(text).error?.issues).toMatchObject([
        { path: [], message: 'must be email addresses, or *@domain for a whole domain' },
      ]);
  });

  it.each(['a', '漢', '\u0301', '.', 'a ', '@ ', 'ﷺ'])(
    'are rejected without delay when they repeat %j',
    (unit) => {
      for (const [before, length] of [
        ['', 50_000],
        ['', 26_000],
        ['a@', 25_000],
        ['a@', 254],
      ] as const) {
        const text = before + unit.repeat((length - before.length) / unit.length);
        let isFine = true;
        const ms = cpuMilliseconds(() => void (isFine = testRecipients.safeParse(text).success), 50);
        expect([isFine, ms < 100, ms]).toEqual([false, true, ms]);
      }
    },
  );
});
