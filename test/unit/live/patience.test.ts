import { beginListening, patienceOf, whyTurnOver } from '../../../api/live/patience';
import type { ListeningState } from '../../../api/live/patience';
import { eachRow } from '../../harness/each-row';

const normal = { timeFactor: 1, speed: null, isAssessment: false };
const patience = patienceOf(normal);

describe('whyTurnOver', () => {
  it('ends a turn when the pause is longer than the words suggest', () =>
    eachRow<[string, Partial<ListeningState>, number, 'answered' | 'silent' | null]>(
      [
        ['before the first word', {}, 29_980, null],
        ['without a word', {}, 30_000, 'silent'],
        [
          'while somebody speaks, whatever was before',
          { speakingSince: 60_000, quietSince: 1_000 },
          99_000,
          null,
        ],
        ['in a pause after words that sound finished', { quietSince: 5_000, isFinished: true }, 6_880, null],
        ['after such a pause', { quietSince: 5_000, isFinished: true }, 6_900, 'answered'],
        ['in a pause after other words', { quietSince: 5_000, isFinished: false }, 8_980, null],
        ['after such a longer pause', { quietSince: 5_000, isFinished: false }, 9_000, 'answered'],
        ['while the words are not known yet', { quietSince: 5_000, isFinished: null }, 8_980, null],
        [
          'in a moment that was asked for',
          { quietSince: 5_000, isFinished: true, momentAt: 5_000 },
          24_980,
          null,
        ],
        ['after this moment', { quietSince: 5_000, isFinished: true, momentAt: 5_000 }, 25_000, 'answered'],
        ['in a later pause', { quietSince: 8_000, isFinished: true, momentAt: 5_000 }, 9_900, 'answered'],
        ['in a moment before the first word', { momentAt: 29_000 }, 48_980, null],
        ['when the time of the answer is up', { speakingSince: 1_000 }, 120_000, 'answered'],
        ['when it is up without a word', { momentAt: 119_000 }, 120_000, 'silent'],
      ],
      (_, more, now, expected) =>
        expect(whyTurnOver({ ...beginListening(0), ...more }, patience, now, 120_000)).toBe(expected),
    ));

  it('counts from the beginning of the answer', () => {
    expect(whyTurnOver(beginListening(100_000), patience, 129_000, null)).toBeNull();
    expect(whyTurnOver(beginListening(100_000), patience, 130_000, 1)).toBe('silent');
  });
});

describe('patienceOf', () => {
  it('multiplies accommodations, the speed of the conversation and the type of the interview', () =>
    eachRow<[Parameters<typeof patienceOf>[0], number]>(
      [
        [normal, 1],
        [{ ...normal, timeFactor: 1.5 }, 1.5],
        [{ ...normal, speed: 'slower' }, 1.3],
        [{ ...normal, speed: 'faster' }, 0.8],
        [{ timeFactor: 2, speed: 'slower', isAssessment: true }, 2 * 1.3 * 1.3],
      ],
      (asked, factor) => {
        const { thinkMs, finishedMs, unfinishedMs, momentMs } = patienceOf(asked);
        for (const [own, base] of [
          [thinkMs, patience.thinkMs],
          [finishedMs, patience.finishedMs],
          [unfinishedMs, patience.unfinishedMs],
          [momentMs, patience.momentMs],
        ] as const)
          expect(own / base).toBeCloseTo(factor, 10);
      },
    ));
});
