import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createPageSocket } from '../../../api/live/page-socket';

it('disconnects a page that vanished without closing its socket, and no other', async () => {
  // Sockets need the timers of Node.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'] });
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended: string[] = [];
  const connect = async (name: string, autoPong: boolean) => {
    const page = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
    const [[socket]] = (await Promise.all([once(server, 'connection'), once(page, 'open')])) as [
      [WebSocket],
      unknown,
    ];
    const nothing = () => undefined;
    const onClose = () => void ended.push(name);
    createPageSocket(socket, { onHello: nothing, onMessage: nothing, onSound: nothing, onClose });
    return { page, pinged: once(page, 'ping'), ponged: once(socket, 'pong') };
  };
  const awake = await connect('awake', true);
  const vanished = await connect('vanished', false);
  jest.advanceTimersByTime(15_000);
  await Promise.all([awake.ponged, vanished.pinged]);
  const closed = once(vanished.page, 'close');
  jest.advanceTimersByTime(15_000);
  await closed;
  expect(ended).toEqual(['vanished']);
  jest.useRealTimers();
  awake.page.close();
  await once(awake.page, 'close');
  server.close();
});
