import { addressAtMerchant, safeReturn, addReturnAddress } from '../../../api/platform/site/return-address';

describe('safeReturn', () => {
  it.each([
    '/console/endpoints/0198a000-0000-7000-8000-000000000001',
    '/console/deliveries?state=gave_up&since=2026-11-22T06%3A27',
    '/console/team/?filter_text=a%2Fb',
  ])('accepts a page of the console: %s', (address) => expect(safeReturn(address)).toBe(address));

  it.each([
    'https://evil.example/console/access',
    '//evil.example/console/access',
    '/\\evil.example',
    '/console/../v1/merchant-status',
    '/v1/merchant-status',
    '/console',
    '/console/enter?token=si_x',
    '/console/sign-in?return_to=/console/access',
    '/console/sign-out',
    '/console/merchants',
    '/console/%2e%2e/v1/merchant-status',
    '/console/team%5c..',
    '/console/%2fevil.example',
    '/console/./sign-out',
    '/console//evil.example',
    '/console/a%0d%0aset-cookie',
    '/console/a\u0001',
    'javascript:alert(1)',
    '/console/"><script>',
    `/console/${'a'.repeat(1_000)}`,
    '',
    undefined,
  ])('drops any other address: %j', (address) => expect(safeReturn(address)).toBeUndefined());
});

describe('addReturnAddress', () => {
  it('adds the page to return to, unless it is the default page', () => {
    expect(addReturnAddress('/console/sign-in', '/console/access?a=1')).toBe(
      '/console/sign-in?return_to=%2Fconsole%2Faccess%3Fa%3D1',
    );
    expect(addReturnAddress('/console/sign-in', '/console/results')).toBe('/console/sign-in');
    expect(addReturnAddress('/console/sign-in', 'https://evil.example')).toBe('/console/sign-in');
  });
});

describe('addressAtMerchant', () => {
  it('adds the merchant once and keeps the rest of the address', () => {
    expect(addressAtMerchant('/console/results/1', 'm')).toBe('/console/results/1?merchant_id=m');
    expect(addressAtMerchant('/console/results?tab=a&merchant_id=x', 'm')).toBe(
      '/console/results?tab=a&merchant_id=m',
    );
  });
});
