import { inTime, until, waitFor } from '../../harness/wait-for';

const never = new Promise<never>(() => undefined);

describe('waitFor', () => {
  it('returns what it was waiting for', async () => {
    const answers = [undefined, false, 'here'] as const;
    let asked = 0;
    expect(await waitFor('an answer', async () => answers[asked++])).toBe('here');
    expect(asked).toBe(3);
  });

  it('fails with the name of the condition and the last value', async () => {
    await expect(waitFor('the mail', async () => false, 50)).rejects.toThrow(
      'Waited in vain for the mail; last seen: false',
    );
  });

  it('fails with the name of the condition when a check does not end', async () => {
    await expect(waitFor('the mail', () => never, 50)).rejects.toThrow(
      'Waited in vain for the mail; the last look has not ended',
    );
  });

  it('fails with the name of the condition when a check throws', async () => {
    const look = async () => {
      throw new Error('no connection');
    };
    await expect(waitFor('the mail', look, 50)).rejects.toThrow(
      'Waiting for the mail failed: Error: no connection',
    );
  });
});

describe('until', () => {
  it('fails with the name of the condition and the last value', async () => {
    const rows = () => [{ state: 'queued' }];
    await expect(until('the row to be sent', rows, ([row]) => row?.state === 'sent', 50)).rejects.toThrow(
      "Waited in vain for the row to be sent; last seen: [ { state: 'queued' } ]",
    );
  });

  it('continues after its limit while a number changes', async () => {
    let count = 0;
    expect(
      await until(
        'twenty looks',
        () => ++count,
        (found) => found === 20,
        300,
      ),
    ).toBe(20);
    await expect(
      until(
        'more',
        () => 20,
        (found) => found > 20,
        50,
      ),
    ).rejects.toThrow('last seen: 20');
  });
});

describe('inTime', () => {
  it('resolves or rejects like the promise that it waits for', async () => {
    expect(await inTime('a number', Promise.resolve(1), 50)).toBe(1);
    await expect(inTime('a number', Promise.reject(new Error('broken')), 50)).rejects.toThrow('broken');
  });

  it('fails with the given name when the promise does not settle in time', async () => {
    await expect(inTime('the end of the workflow', never, 50)).rejects.toThrow(
      'Waited in vain for the end of the workflow',
    );
  });
});
