import { findCompanyName } from '../../../api/platform/text/company-name';
import { cpuMilliseconds } from '../../harness/cpu-time';

describe('findCompanyName', () => {
  it.each(['Acme S.A. de C.V.', 'Acme GmbH & Co. KG', 'Acme Sp. z o.o.', 'Acme'])(
    'finds %s without its legal form',
    (name) => expect(findCompanyName('We work for Acme here.', name)).toBe(true),
  );

  it.each(['Acme s a s a', 's.a.', 'co. '])('reads a name of many repetitions of %j in time', (unit) => {
    const name = `${unit.repeat(100).slice(0, 96)} x`;
    const ms = cpuMilliseconds(() => void findCompanyName('Some text.', name), 50);
    expect([ms < 100, ms]).toEqual([true, ms]);
  });
});
