import {
  cadenceScore,
  totalOfParts,
  answeredPercent,
  pronunciationOf,
  sentimentOf,
  sentimentScore,
  wantsSentiment,
  wordsPerMinute,
} from '../../../activities/scoring/total';

const parts = {
  answers: [{ score: 6 }, { score: 8 }],
  session: 5,
  resume: null,
  pronunciation: null,
  cadence: null,
  sentiment: null,
};

describe('totalOfParts', () => {
  it('weights answers and session alike unless something else is set', () => {
    expect(totalOfParts(parts, { weights: null })).toEqual({
      score: 6,
      parts: [
        { part: 'answers', score: 7, weight: 0.5 },
        { part: 'session', score: 5, weight: 0.5 },
      ],
    });
  });

  it.each([
    ['the weights', parts, { ai_assessment_answer: 1, ai_assessment_session: 0 }, 7],
    [
      'weights that do not add up to 1',
      parts,
      { ai_assessment_answer: 0.1, ai_assessment_session: 0.3 },
      5.5,
    ],
    [
      'parts without data dropped',
      { ...parts, session: null },
      { ai_assessment_answer: 0.1, ai_assessment_session: 0.9 },
      7,
    ],
    [
      'answers without a score dropped',
      { ...parts, answers: [{ score: null }, { score: 4 }] },
      { ai_assessment_session: 0 },
      4,
    ],
    [
      'the weights of answers',
      { ...parts, answers: [{ score: 10, weight: 3 }, { score: 2 }] },
      { ai_assessment_session: 0 },
      8,
    ],
    ['the pronunciation', { ...parts, pronunciation: 0 }, { ai_pronunciation: 1 }, 3],
    ['the sentiment', { ...parts, sentiment: 10 }, { sentiment_analysis: 1 }, 8],
    ['a weight without data', parts, { sentiment_analysis: 1 }, 6],
    [
      'no pace of somebody who said nothing',
      { ...parts, answers: [{ score: null }], session: null, cadence: 10, sentiment: 5 },
      { speech_cadence: 0.1, sentiment_analysis: 0.1 },
      null,
    ],
    [
      'the pace alone if nothing else counts',
      { ...parts, cadence: 10 },
      { speech_cadence: 1, ai_assessment_answer: 0, ai_assessment_session: 0 },
      10,
    ],
    ['nothing', { ...parts, answers: [], session: null }, {}, null],
    ['no weights', parts, { ai_assessment_answer: 0, ai_assessment_session: 0 }, null],
  ])('uses %s', (_name, given, weights, score) => {
    expect(totalOfParts(given, { weights }).score).toBe(score);
  });

  it('scales the total to the highest score', () => {
    expect(totalOfParts(parts, { weights: null, max_score: 100 }).score).toBe(60);
    const weak = { ...parts, answers: [{ score: 3.9 }], session: null };
    expect(totalOfParts(weak, { weights: null, max_score: 5 }).score).toBe(1.95);
  });
});

describe('computed figures', () => {
  it('counts words per minute of spoken answers', () => {
    const spoken = [
      { heard: 'one two three four five', duration_ms: 2_000 },
      { heard: 'six', duration_ms: null },
      { heard: '', duration_ms: 9_000 },
    ];
    expect(wordsPerMinute(spoken)).toBe(150);
    expect(wordsPerMinute([])).toBeNull();
  });

  it('gives the same points for a wide range of paces', () => {
    expect([90, 130, 180, 210, 60, 600].map(cadenceScore)).toEqual([10, 10, 10, 9, 9, 0]);
  });

  it('scores speech by what the transcription was sure of, from 60 words', () => {
    const heard = 'one two three '.repeat(10);
    const spoken = [
      { heard, confidence: { mean: 0.9, tokens: 30 } },
      { heard, confidence: { mean: 0.6, tokens: 60 } },
      { heard: 'typed', confidence: null },
    ];
    expect(pronunciationOf(spoken)).toBe(70);
    expect(pronunciationOf(spoken.slice(1))).toBeNull();
    expect(pronunciationOf([{ heard: heard + heard, confidence: null }])).toBeNull();
  });

  it('counts how much was covered', () => {
    expect(
      [
        { planned: 3, answered: 2 },
        { planned: 0, answered: 0 },
      ].map(answeredPercent),
    ).toEqual([67, null]);
  });

  it('takes the mean polarity of the samples', () => {
    expect(sentimentOf([{ polarity: 'positive' }, { polarity: 'mixed' }, { polarity: null }])).toBe(0.5);
    expect(sentimentOf([{ polarity: null }])).toBeNull();
    expect([-1, 0, 0.5, 1].map(sentimentScore)).toEqual([0, 5, 7.5, 10]);
    expect(
      [{ type: 'coaching' }, { type: 'interview' }].map((one) => wantsSentiment({ ...one, weights: null })),
    ).toEqual([true, false]);
    expect(wantsSentiment({ type: 'interview', weights: { sentiment_analysis: 0.1 } })).toBe(true);
  });
});
