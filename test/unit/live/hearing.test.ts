import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { createTranscription } from '../../../api/live/hearing';
import { atEnd } from '../../harness/at-end';

describe('a session that listens', () => {
  it('is given up if the provider sends more events than there can be speech', async () => {
    const provider = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    atEnd(() => provider.close());
    await once(provider, 'listening');
    provider.on('connection', (socket) => {
      socket.send('{"type":"session.updated"}');
      for (let piece = 0; piece < 5_000; piece += 1)
        socket.send(
          JSON.stringify({
            type: 'input_audio_buffer.speech_started',
            audio_start_ms: 0,
            item_id: `${piece}`,
          }),
        );
    });
    const { port } = provider.address() as AddressInfo;
    const open = createTranscription({ apiKey: 'test', baseUrl: `http://127.0.0.1:${port}`, model: 'test' });
    let pieces = 0;
    const reason = await new Promise((resolve) => {
      open('en', {
        onReady: () => undefined,
        onStarted: () => (pieces += 1),
        onStopped: () => undefined,
        onWords: () => undefined,
        onLost: resolve,
      });
    });
    expect(reason).toBe('malformed');
    expect(pieces).toBeLessThan(1_000);
  });
});
