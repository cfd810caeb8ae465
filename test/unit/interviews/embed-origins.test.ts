import { embedOrigins } from '../../../api/interviews/embed-origins';

it('accepts origins only as browsers write them', () => {
  const isAccepted = (origin: string) => embedOrigins.safeParse([origin]).success;
  expect(
    ['https://a.example:65535', 'https://1.2.3.4', 'http://localhost:3000'].filter(isAccepted),
  ).toHaveLength(3);
  expect(
    ['https://a.example:65536', 'https://a.example:443', 'https://1.2.3.400'].filter(isAccepted),
  ).toEqual([]);
});
