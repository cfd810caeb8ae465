import { toInstant, toTimeInput } from '../../../api/platform/site/times';

describe('time fields', () => {
  it.each(['0000-01-01T00:00', '0001-01-01T00:00:00', '0500-01-01T00:00', '9999-12-31T23:59:59'])(
    'returns an instant and a field value for the remote year of %s',
    (text) => {
      const instant = toInstant(text, 'Europe/Amsterdam');
      expect(Date.parse(instant)).not.toBeNaN();
      expect(() => toTimeInput(instant, 'Europe/Amsterdam')).not.toThrow();
    },
  );

  it('returns an empty field value for an instant that no field holds', () => {
    expect(toTimeInput('+275760-09-13T00:00:00.000Z', 'Europe/Amsterdam')).toBe('');
  });
});
