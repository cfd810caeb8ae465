import { initialInterruption, hearFrame } from '../../../../api/taking/app/live/interruption';

/** Plays stretches of sound, and returns what the page does, with the time of the end of its frame. */
function play(isSpoken: boolean, ...stretches: [level: number, ms: number][]): string[] {
  let hearing = initialInterruption;
  let ms = 0;
  const done: string[] = [];
  for (const [level, length] of stretches)
    for (const end = ms + length; ms < end;) {
      ms += 20;
      const { heard, hearing: next } = hearFrame(hearing, level, isSpoken);
      hearing = next;
      if (heard) done.push(`${heard} ${ms}`);
    }
  return done;
}
const quiet = 0.001;
const speech = 0.2;

describe('hearFrame', () => {
  it('stops an interviewer who begins while the candidate talks', () => {
    let hearing = initialInterruption;
    const heard = [];
    for (let frame = 0; frame < 100; frame += 1) {
      const next = hearFrame(hearing, speech, frame >= 50);
      hearing = next.hearing;
      if (next.heard) heard.push(`${next.heard} ${(frame + 1) * 20}`);
    }
    expect(heard).toEqual(['spoke 400', 'lower 1060', 'stop 1400']);
  });

  it.each<[string, boolean, [number, number][], string[]]>([
    [
      'lowers and stops the voice over speech',
      true,
      [
        [quiet, 200],
        [speech, 600],
      ],
      ['lower 260', 'stop 600'],
    ],
    [
      'raises the voice after a cough',
      true,
      [
        [quiet, 200],
        [speech, 100],
        [quiet, 400],
      ],
      ['lower 260', 'raise 520'],
    ],
    [
      'does not stop for "mm-hm"',
      true,
      [
        [quiet, 200],
        [speech, 160],
        [quiet, 120],
        [speech, 160],
        [quiet, 400],
      ],
      ['lower 260', 'raise 860'],
    ],
    [
      'counts words with short pauses as one stretch',
      true,
      [
        [speech, 200],
        [quiet, 160],
        [speech, 300],
      ],
      ['lower 60', 'stop 560'],
    ],
    [
      'counts the short pauses within words as speech',
      true,
      [
        [speech, 120],
        [quiet, 80],
        [speech, 60],
        [0.03, 60],
        [speech, 200],
      ],
      ['lower 60', 'stop 400'],
    ],
    ['ignores the echo of the voice', true, [[0.03, 2_000]], []],
    [
      'hears a quiet voice while the interviewer is silent',
      false,
      [
        [quiet, 200],
        [0.03, 600],
      ],
      ['spoke 600'],
    ],
    [
      'hears speech after ten seconds of it without a pause',
      false,
      [
        [speech, 10_000],
        [quiet, 300],
        [speech, 600],
      ],
      ['spoke 400', 'spoke 10700'],
    ],
    [
      'learns the noise of a room',
      false,
      [
        [0.03, 60_000],
        [speech, 600],
      ],
      ['spoke 400', 'spoke 60400'],
    ],
  ])('%s', (_, isSpoken, stretches, expected) => {
    expect(play(isSpoken, ...stretches)).toEqual(expected);
  });
});
