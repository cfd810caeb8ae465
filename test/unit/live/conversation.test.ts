import { createConversation } from '../../../api/live/conversation';
import type { TranscriptionEvents } from '../../../api/live/hearing';
import type { Interview } from '../../../api/live/interview';
import type { ServerMessage } from '../../../api/live/protocol';
import { closeCodes } from '../../../api/live/wire';

/*
 * Tests what a conversation does by its own clocks. What it does with a database, a provider and a page is tested in
 * test/end-to-end/taking/live*.
 */

const turn = {
  turn_id: 'turn',
  text: 'First?',
  has_speech: true,
  kind: 'question',
  answer: { mode: 'voice' },
};
const attempt = { attempt: 1, state: 'running', turn };

/** Opens a conversation in which the candidate has heard a turn, and listens to the answer. */
async function listening({ isVisit = false } = {}) {
  const told: ServerMessage[] = [];
  const closed: number[] = [];
  const provider: TranscriptionEvents[] = [];
  const link = { isRevoked: false };
  const interview = {
    isVisit,
    insist: async (work: () => Promise<unknown>) => ({ kind: 'done', value: await work() }),
    mustRead: () => Promise.resolve(attempt),
    read: () => Promise.resolve(link.isRevoked ? { kind: 'revoked' } : { kind: 'done', value: attempt }),
    recordListening: () => undefined,
  } as unknown as Interview;
  const conversation = createConversation({
    interview,
    openHearing: (_language, events) => {
      provider.push(events);
      events.onReady();
      return { append: () => undefined, clear: () => undefined, close: () => undefined };
    },
    isoCode: 'en',
    language: 'en',
    patience: { timeFactor: 1, speed: null, isAssessment: false },
    tell: (message) => void told.push(message),
    close: (code) => void closed.push(code),
    onEvent: () => undefined,
  });
  await conversation.begin({ type: 'hello', attempt: 1, turn_id: null, is_heard: false, sequence: 0 });
  conversation.receive({ type: 'played', turn_id: 'turn', ms: 2_000, is_end: true });
  const pause = (ms: number) => {
    for (let at = 0; at < ms; at += 20) conversation.hear(Buffer.alloc(960));
  };
  return { conversation, link, closed, pause, last: () => told.at(-1), told };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a conversation', () => {
  it('no longer listens to a visitor after 30 seconds without a word', async () => {
    const { pause, last, closed } = await listening({ isVisit: true });
    pause(29_900);
    await jest.advanceTimersByTimeAsync(0);
    expect(last()).toEqual({ type: 'state', state: 'listens' });
    pause(100);
    await jest.advanceTimersByTimeAsync(0);
    expect([last(), closed]).toEqual([{ type: 'lower', step: 'type', why: 'silence' }, [closeCodes.done]]);
  });

  it('ends without a frame for five seconds, as from a phone that sleeps', async () => {
    const { pause, last, closed } = await listening();
    pause(1_000);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(closed).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect([last(), closed]).toEqual([
      { type: 'lower', step: 'record', why: 'frames' },
      [closeCodes.restart],
    ]);
  });

  it('ends when the link is revoked although the page never sends the recording', async () => {
    const { conversation, last, link, closed } = await listening();
    conversation.receive({ type: 'done', turn_id: 'turn' });
    await jest.advanceTimersByTimeAsync(0);
    expect(last()).toEqual({ type: 'send_recording', turn_id: 'turn' });
    link.isRevoked = true;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(closed).toEqual([closeCodes.revoked]);
  });
});
