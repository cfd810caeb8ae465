import { readBody } from '../../../activities/providers/read-body';

describe('readBody', () => {
  it('returns a body of the limit', async () => {
    expect((await readBody(new Response('é'.repeat(5)), 10, 'the model')).toString()).toBe('é'.repeat(5));
  });

  it('stops reading a body above the limit', async () => {
    let [sent, isCancelled] = [0, false];
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(new Uint8Array(100));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    await expect(readBody(new Response(endless), 1_000, 'the model')).rejects.toMatchObject({
      kind: 'too_long',
      retryable: true,
    });
    expect([sent < 20, isCancelled]).toEqual([true, true]);
  });
});
