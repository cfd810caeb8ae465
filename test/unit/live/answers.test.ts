import { createAnswerListener } from '../../../api/live/answers';
import type { TranscriptionEvents } from '../../../api/live/hearing';
import { patienceOf } from '../../../api/live/patience';

const frame = (level: number) => {
  const sound = Buffer.alloc(960);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(level * 32_767, at);
  return sound;
};
const speech = frame(0.2);
const noise = frame(0.05);
const silence = frame(0);

/** Listens to an answer with a provider that does what the test says. */
function listen({ isWhole = true } = {}) {
  const sessions: TranscriptionEvents[] = [];
  const answers = createAnswerListener({
    openHearing: (_language, events) => {
      sessions.push(events);
      events.onReady();
      return { append: () => undefined, clear: () => undefined, close: () => undefined };
    },
    isoCode: 'en',
    language: 'en',
    patience: patienceOf({ timeFactor: 1, speed: null, isAssessment: false }),
    onCaption: () => undefined,
    onGap: () => undefined,
    onGone: () => undefined,
  });
  answers.open('turn', { isWhole, hasSpoken: !isWhole });
  let ms = 0;
  /** Passes on sound, and returns why the turn is over, and when, if it is over. */
  const hear = (sound: Buffer, length: number) => {
    for (const end = ms + length; ms < end;) {
      answers.append(sound);
      ms += 20;
      const why = answers.whyOver(null);
      if (why) return `${why} ${ms}`;
    }
    return null;
  };
  const provider = () => {
    const events = sessions.at(-1);
    if (!events) throw new Error('no session');
    return events;
  };
  /** Says a sentence that the provider hears. It ends at 1.5 s, of which the last half second is silent. */
  const sayHeard = () => {
    provider().onStarted('piece', 0);
    hear(speech, 1_000);
    hear(silence, 500);
    provider().onStopped('piece', 1_000);
    provider().onWords('piece', 'I have planned the work of my team.');
  };
  return { answers, hear, provider, sayHeard };
}

describe('createAnswerListener', () => {
  it('does not end an answer that goes on while the provider stalls', async () => {
    const { answers, hear, sayHeard } = listen();
    sayHeard();
    expect(hear(speech, 3_000)).toBeNull();
    // The patience after words that are not known begins after the last sound.
    expect(hear(silence, 10_000)).toBe('answered 8500');
    await answers.finish(0);
    expect(answers.draft?.isWhole).toBe(false);
  });

  it('does not end an answer that goes on while another session is opened', () => {
    const { hear, provider, sayHeard } = listen();
    sayHeard();
    provider().onLost('closed');
    expect(hear(speech, 3_000)).toBeNull();
  });

  it('waits for one whose answer has begun before the connection was lost as after a pause', () => {
    expect(listen({ isWhole: false }).hear(silence, 10_000)).toBe('answered 4000');
  });

  it.each([
    ['the noise of a room', noise, 1_900],
    ['a cough', speech, 400],
  ])('ends an answer as usual after %s', async (_, sound, length) => {
    const { answers, hear, sayHeard } = listen();
    sayHeard();
    expect(hear(sound, length) ?? hear(silence, 2_000)).toBe('answered 2900');
    await answers.finish(0);
    expect(answers.draft?.isWhole).toBe(true);
  });
});
