import { retryUntilResult } from '../../../../api/taking/app/live/ask-patiently';

afterEach(() => jest.useRealTimers());

it.each([
  ['while there is no speech', null, 5],
  ['until it is there', 'speech', 3],
])('asks a few times for a speech, %s', async (_when, later, calls) => {
  jest.useFakeTimers();
  const call = jest.fn().mockResolvedValueOnce(null).mockResolvedValueOnce(null).mockResolvedValue(later);
  const asked = retryUntilResult<string>(call, () => true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await asked).toBe(later);
  expect(call).toHaveBeenCalledTimes(calls);
});

it('asks no more for a speech that is not needed any more', async () => {
  jest.useFakeTimers();
  const call = jest.fn().mockResolvedValue(null);
  const asked = retryUntilResult(call, () => false);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await asked).toBeNull();
  expect(call).toHaveBeenCalledTimes(1);
});
