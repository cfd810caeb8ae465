import {
  cadenceScore,
  totalOfParts,
  coverage,
  sentimentOf,
  wordsPerMinute,
} from '../../../activities/scoring/total';

const parts = {
  answers: [{ score: 6 }, { score: 8 }],
  session: 5,
  resume: null,
  pronunciation: null,
  cadence: null,
};

describe('totalOfParts', () => {
  it('weights answers and session alike unless something else is set', () => {
    expect(totalOfParts(parts, { weights: null, type: 'interview' })).toEqual({
      score: 6,
      parts: [
        { part: 'answers', score: 7, weight: 0.5 },
        { part: 'session', score: 5, weight: 0.5 },
      ],
    });
  });

  it.each([
    ['the weights', parts, { ai_assessment_answer: 1, ai_assessment_session: 0 }, 'interview', 7],
    [
      'weights that do not add up to 1',
      parts,
      { ai_assessment_answer: 0.1, ai_assessment_session: 0.3 },
      'interview',
      5.5,
    ],
    [
      'parts without data dropped',
      { ...parts, session: null },
      { ai_assessment_answer: 0.1, ai_assessment_session: 0.9 },
      'interview',
      7,
    ],
    [
      'answers without a score dropped',
      { ...parts, answers: [{ score: null }, { score: 4 }] },
      { ai_assessment_session: 0 },
      'interview',
      4,
    ],
    [
      'the weights of answers',
      { ...parts, answers: [{ score: 10, weight: 3 }, { score: 2 }] },
      { ai_assessment_session: 0 },
      'interview',
      8,
    ],
    [
      'no pronunciation in interviews',
      { ...parts, pronunciation: 0 },
      { ai_pronunciation: 1 },
      'interview',
      6,
    ],
    ['pronunciation in coaching', { ...parts, pronunciation: 0 }, { ai_pronunciation: 1 }, 'coaching', 3],
    ['no sentiment', parts, { sentiment_analysis: 1 }, 'coaching', 6],
    ['nothing', { ...parts, answers: [], session: null }, {}, 'interview', null],
    ['no weights', parts, { ai_assessment_answer: 0, ai_assessment_session: 0 }, 'interview', null],
  ])('uses %s', (_name, given, weights, type, score) => {
    expect(totalOfParts(given, { weights, type }).score).toBe(score);
  });

  it('scales the total to the highest score', () => {
    expect(totalOfParts(parts, { weights: null, max_score: 100, type: 'interview' }).score).toBe(60);
    const weak = { ...parts, answers: [{ score: 3.9 }], session: null };
    expect(totalOfParts(weak, { weights: null, max_score: 5, type: 'interview' }).score).toBe(1.95);
  });
});

describe('computed figures', () => {
  it('counts words per minute of spoken answers', () => {
    const spoken = [
      { answer: 'one two three four five', duration_ms: 2_000 },
      { answer: 'six', duration_ms: null },
      { answer: '', duration_ms: 9_000 },
    ];
    expect(wordsPerMinute(spoken)).toBe(150);
    expect(wordsPerMinute([])).toBeNull();
  });

  it('gives the same points for a wide range of paces', () => {
    expect([90, 130, 180, 210, 60, 600].map(cadenceScore)).toEqual([10, 10, 10, 9, 9, 0]);
  });

  it('counts how much was covered', () => {
    expect(
      [
        { planned: 3, answered: 2 },
        { planned: 0, answered: 0 },
      ].map(coverage),
    ).toEqual([67, null]);
  });

  it('takes the mean polarity of the samples', () => {
    expect(sentimentOf([{ polarity: 'positive' }, { polarity: 'mixed' }, { polarity: null }])).toBe(0.5);
    expect(sentimentOf([{ polarity: null }])).toBeNull();
  });
});
