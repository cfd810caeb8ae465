import { hostName } from '../../../../api/platform/http/host-name';

describe('hostName', () => {
  it.each([
    ['Learn.Example', 'learn.example'],
    ['learn.example:8443', 'learn.example'],
    ['learn.example.:8443', 'learn.example'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]'],
    ['[::1]', '[::1]'],
    [undefined, ''],
  ])('reads %s as %s', (host, expected) => {
    expect(hostName({ headers: { host } })).toBe(expected);
  });

  it('ignores X-Forwarded-Host', () => {
    expect(hostName({ headers: { host: 'a.example', 'x-forwarded-host': 'b.example' } })).toBe('a.example');
  });
});
