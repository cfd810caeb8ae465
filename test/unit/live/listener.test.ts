import type { TranscriptionEvents } from '../../../api/live/hearing';
import { createListener } from '../../../api/live/listener';

const loud = Buffer.alloc(960, 0x20);
const silence = Buffer.alloc(960);

/** Opens a listener whose provider does what the test says. */
function open() {
  const sessions: TranscriptionEvents[] = [];
  const seen: string[] = [];
  const listener = createListener(
    (_language, events) => {
      sessions.push(events);
      events.onReady();
      return { append: () => undefined, clear: () => undefined, close: () => undefined };
    },
    'en',
    {
      onStarted: (_piece, atMs) => seen.push(`started ${atMs}`),
      onStopped: (_piece, atMs) => seen.push(`stopped ${atMs}`),
      onWords: () => undefined,
      onGap: () => seen.push('gap'),
      onGone: (reason) => seen.push(reason),
    },
  );
  const hear = (ms: number, sound = loud) => {
    for (let at = 0; at < ms; at += 20) listener.append(sound);
  };
  return { hear, provider: sessions, seen };
}

describe('createListener', () => {
  afterEach(() => jest.restoreAllMocks());

  it('does not take the burst after a stalled network for a session that is stuck', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000);
    const { hear, seen } = open();
    hear(5_000);
    expect(seen).toEqual([]);
    // The session had its time, and has not reacted.
    now.mockReturnValue(2_000);
    hear(20);
    expect(seen).toEqual(['gap']);
  });

  it('opens another session if the provider hears no end of a speech in ten seconds of silence', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000);
    const { hear, provider, seen } = open();
    hear(1_000);
    provider[0]?.onStarted('piece', 400);
    hear(20, silence);
    now.mockReturnValue(10_000);
    hear(9_960, silence);
    expect([seen, provider.length]).toEqual([['started 400'], 1]);
    hear(20, silence);
    expect([seen, provider.length]).toEqual([['started 400', 'gap'], 2]);
  });

  it('puts no end of a speech into the future, where it would be a pause that never ends', () => {
    const { hear, provider, seen } = open();
    hear(1_000);
    provider[0]?.onStarted('piece', 400);
    provider[0]?.onStopped('piece', 60_000);
    expect(seen).toEqual(['started 400', 'stopped 1000']);
  });

  it('gives up a provider that takes noise for a speech that never ends', () => {
    const { hear, provider, seen } = open();
    hear(1_000);
    provider[0]?.onStarted('piece', 400);
    hear(170_000);
    expect(seen).toEqual(['started 400']);
    hear(10_000);
    expect(seen).toEqual(['started 400', 'stalled']);
  });
});
