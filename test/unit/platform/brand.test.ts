import * as fc from 'fast-check';
import { brandColors, contrastOf } from '../../../api/platform/text/brand';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('brandColors', () => {
  it('returns colors that can be read on light and dark pages, and text that can be read on them', () => {
    fc.assert(
      fc.property(color, (accent) => {
        const { light, dark } = brandColors(accent);
        for (const ground of ['#ffffff', '#f3f5f8'])
          expect(contrastOf(light.accent, ground)).toBeGreaterThanOrEqual(4.5);
        for (const ground of ['#1a2028', '#11151a'])
          expect(contrastOf(dark.accent, ground)).toBeGreaterThanOrEqual(4.5);
        for (const shade of [light, dark])
          expect(contrastOf(shade.accent, shade.onAccent)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('keeps a color that can be read, and takes away only what is necessary from others', () => {
    expect(brandColors('#1a56c4').light).toEqual({ accent: '#1a56c4', onAccent: '#ffffff' });
    expect(brandColors('#ffff00').light.accent).toBe('#707000');
    expect(brandColors('#ffff00').dark).toEqual({ accent: '#ffff00', onAccent: '#000000' });
  });
});
