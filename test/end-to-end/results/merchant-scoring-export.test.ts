import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

type Line = Record<string, string>;
const readCsv = (text: string): Line[] => {
  const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
};

describe('the results page of the console', () => {
  it('leads to the rates of the last 12 months', async () => {
    const owner = await openConsole(platform, 'merchant_owner');
    const address = '/console/results/scoring-rates.csv';
    expect((await owner.get('/console/results')).html).toContain(address);
    const { status, html: file, headers } = await owner.get(address);
    const disposition = headers.get('content-disposition');
    expect([status, disposition]).toEqual([200, 'attachment; filename=scoring-rates.csv']);
    expect(readCsv(file)[0]).toMatchObject({ notes: expect.any(String) });
  });
});
