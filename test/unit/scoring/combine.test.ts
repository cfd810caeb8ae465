import * as fc from 'fast-check';
import { combineSamples, computeScore, defaultThresholds } from '../../../activities/scoring/combine';
import { criteriaOf } from '../../../activities/scoring/criteria';
import type { CriterionVerdict, Sample, VerifiedJudgement } from '../../../activities/scoring/types';

const criteria = criteriaOf({ weak: ['a', 'b'], moderate: ['c', 'd'], strong: ['e', 'f', 'g', 'h', 'i'] });
/** Twelve words. Each is a sentence of its own, so quotes at different places share none. */
const long = Array.from('abcdefghijkl').join('\n');
const judged = (met: readonly string[]): { met: CriterionVerdict }[] =>
  criteria.map(({ id }) => ({ met: met.includes(id) ? 'yes' : 'no' }));
const sample = (met: readonly string[], more: Partial<Sample> = {}, quote = 'q'): Sample => ({
  judgements: criteria.map(({ id }, index): VerifiedJudgement => {
    const isMet = met.includes(id);
    return {
      criterion_id: id,
      met: isMet ? 'yes' : 'no',
      quote: isMet ? quote : null,
      start: isMet ? index * 2 : null,
      end: isMet ? index * 2 + 1 : null,
      turn_id: null,
      rejected: null,
    };
  }),
  instructs_the_assessor: false,
  prompt_version: 'p/1',
  prompt_hash: '0',
  model: 'm',
  prompt_tokens: 1,
  completion_tokens: 1,
  repaired: 0,
  refused: null,
  ...more,
});
const combine = (samples: Sample[], answer = long) =>
  combineSamples(samples, criteria, defaultThresholds, [{ turn_id: null, answer }]);

describe('criteriaOf', () => {
  it('numbers the items of each bracket', () => {
    expect(criteria.map(({ id }) => id).join(' ')).toBe('w1 w2 m1 m2 s1 s2 s3 s4 s5');
  });
});

describe('computeScore', () => {
  it.each([
    [[], 'weak', 0],
    [['w1'], 'weak', 1.95],
    [['w1', 'w2'], 'weak', 0],
    [['m1'], 'moderate', 5.45],
    [['m1', 'm2', 'w1'], 'moderate', 6.9],
    [['s1'], 'moderate', 4.58],
    [['s1', 's2'], 'moderate', 5.16],
    [['s1', 's2', 'm1'], 'moderate', 5.45],
    [['s1', 's2', 's3'], 'strong', 8.8],
    [['s1', 's2', 's3', 's4', 's5'], 'strong', 10],
  ])('with evidence for %j is %s, %d', (met, bracket, score) => {
    expect(computeScore(judged(met), criteria, defaultThresholds)).toEqual({
      bracket,
      score: expect.closeTo(score, 9) as number,
    });
  });

  it('does not rise if the quote of a weak item is rejected, and does not reward text that shows nothing', () => {
    const items = criteriaOf({ weak: ['a', 'b'], moderate: ['c', 'd', 'e'], strong: ['f'] });
    const scoreOf = (met: string[], claimed: string[] = []) =>
      computeScore(
        items.map(({ id }) => ({ met: met.includes(id) ? 'yes' : 'no', isClaimed: claimed.includes(id) })),
        items,
        defaultThresholds,
      ).score;
    expect(scoreOf(['m1'], ['m1', 'w1'])).toBe(scoreOf(['m1', 'w1'], ['m1', 'w1']));
    expect(scoreOf(['m1'])).toBeGreaterThan(scoreOf(['m1', 'w1']));
    expect(scoreOf([])).toBeLessThanOrEqual(scoreOf(['w1', 'w2']));
    // A rejected quote of any other item is no evidence.
    expect(scoreOf([], ['m1', 'm2', 's1'])).toBe(0);
  });

  it('stays inside its bracket and never falls with more strong evidence', () => {
    const ids = criteria.map(({ id }) => id);
    fc.assert(
      fc.property(fc.subarray(ids), (met) => {
        const { bracket, score } = computeScore(judged(met), criteria, defaultThresholds);
        const [lowest, highest] = { weak: [0, 3.9], moderate: [4, 6.9], strong: [7, 10] }[bracket] as [
          number,
          number,
        ];
        expect(score).toBeGreaterThanOrEqual(lowest);
        expect(score).toBeLessThanOrEqual(highest);
        const more = ids.filter((id) => met.includes(id) || id === 's1');
        expect(computeScore(judged(more), criteria, defaultThresholds).score).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  it('does not take a bracket without items for a full one', () => {
    const few = criteriaOf({ weak: ['a'], moderate: [], strong: [] });
    expect(computeScore([{ met: 'no' }], few, { strong: 0, moderate: 0 }).bracket).toBe('weak');
  });
});

describe('combineSamples', () => {
  it('takes the majority for each criterion, and the evidence of the first sample of it', () => {
    const combined = combine([sample(['m1'], {}, 'first'), sample(['m1', 's1'], {}, 'second'), sample([])]);
    expect(combined).toMatchObject({ status: 'scored', bracket: 'moderate', score: 5.5, answer_score: 3.2 });
    expect(combined.criteria.find(({ id }) => id === 'm1')).toMatchObject({ met: 'yes', quote: 'first' });
    expect(combined.criteria.find(({ id }) => id === 's1')).toMatchObject({ met: 'no', quote: null });
  });

  it('calls a criterion without a majority unclear', () => {
    const unclear = sample([]);
    unclear.judgements = unclear.judgements.map((judgement) => ({ ...judgement, met: 'unclear' }));
    const {
      criteria: [first],
    } = combine([sample(['w1']), sample([]), unclear]);
    expect(first).toMatchObject({ id: 'w1', met: 'unclear', quote: null });
  });

  it.each([
    ['nothing for the same judgements', [['m1'], ['m1'], ['m1']], []],
    ['nothing for one deviation that moves no score', [['m1', 'w1'], ['m1'], ['m1']], []],
    ['strong items without any moderate one', [['s1'], ['s1'], ['s1']], ['only_strong']],
    [
      'disagreement on more than 20 % of the criteria',
      [
        ['m1', 'm2'],
        ['m1', 'w1'],
        ['m1', 'w2'],
      ],
      ['samples_differ'],
    ],
    [
      'scores more than 1.0 apart',
      [
        ['m1', 's1', 's2', 's3'],
        ['m1', 's1', 's2'],
        ['m1', 's1', 's2'],
      ],
      ['samples_differ'],
    ],
  ])('flags %s', (_name, met, review_reasons) => {
    expect(combine(met.map((ids) => sample(ids)))).toMatchObject({
      needs_review: review_reasons.length > 0,
      review_reasons,
    });
  });

  it('counts a weak item in the total of the samples whose quotes were rejected', () => {
    const rejected = sample(['w2']);
    rejected.judgements = rejected.judgements.map((judgement) =>
      judgement.criterion_id === 'w1' ? { ...judgement, met: 'unclear', rejected: 'not_found' } : judgement,
    );
    const all = sample(['w1', 'w2']);
    expect(combine([rejected, rejected, rejected]).score).toBe(combine([all, all, all]).score);
  });

  it('flags a score that rejected quotes may have lowered', () => {
    const rejected = sample(['m1']);
    rejected.judgements = rejected.judgements.map((judgement, index) => ({
      ...judgement,
      rejected: index > 6 ? ('not_found' as const) : null,
    }));
    expect(combine([rejected, sample(['m1']), sample(['m1'])]).review_reasons).toEqual(['quotes_rejected']);
  });

  it('flags samples that call everything met', () => {
    const all = sample(criteria.map(({ id }) => id));
    expect(combine([all, all, all]).review_reasons).toEqual(['all_met']);
  });

  it.each([
    [['w1', 'm1', 's1'], ['all_met']],
    [['m1', 's1'], []],
  ])('flags a short rubric only if its weak item is met too: %j', (met, reasons) => {
    const short = criteria.filter(({ id }) => ['w1', 'm1', 's1'].includes(id));
    const samples = [1, 2, 3].map(() => sample(met));
    const { review_reasons: found } = combineSamples(samples, short, defaultThresholds, [
      { turn_id: null, answer: long },
    ]);
    expect(found).toEqual(reasons);
  });

  it('flags samples that the model refused, and decides by the others', () => {
    const combined = combine([
      sample(['m1']),
      sample(['m1']),
      sample([], { judgements: [], refused: 'refused' }),
    ]);
    expect(combined).toMatchObject({
      status: 'scored',
      bracket: 'moderate',
      review_reasons: ['samples_missing'],
      spread: 0,
    });
  });

  it('does not let a single usable sample decide', () => {
    const refused = sample([], { judgements: [], refused: 'malformed' });
    const combined = combine([refused, sample(['m1', 's1']), refused]);
    expect(combined).toMatchObject({ bracket: null, score: null, reason: 'malformed', needs_review: true });
    expect(combined.criteria.every(({ met, quote }) => met === 'unclear' && quote === null)).toBe(true);
  });

  it('calls a criterion unclear about which two usable samples differ', () => {
    const refused = sample([], { judgements: [], refused: 'refused' });
    const { criteria: found } = combine([sample(['m1', 'm2']), refused, sample(['m1'])]);
    expect(found.filter(({ id }) => id.startsWith('m')).map(({ met }) => met)).toEqual(['yes', 'unclear']);
  });

  it.each([
    ['few words', 'I did it well', 'insufficient_evidence'],
    ['twelve words', long, 'scored'],
    ['19 characters without spaces', '私はその仕事をとても良くできたと思います。', 'scored'],
    ['few characters without spaces', '特にありません。', 'insufficient_evidence'],
  ])('gives no score for no evidence in %s: never a low one', (_name, answer, status) => {
    const combined = combine([sample([]), sample([]), sample([])], answer);
    expect(combined.status).toBe(status);
    if (status === 'insufficient_evidence')
      expect(combined).toMatchObject({
        bracket: null,
        score: null,
        answer_score: null,
        reason: 'too_little_said',
      });
  });

  it('scores a short answer with evidence', () => {
    expect(combine([sample(['s1']), sample(['s1']), sample(['s1'])], 'I wrote it').bracket).toBe('moderate');
  });

  it.each(['refused', 'malformed'] as const)('is insufficient evidence with the reason: %s', (refused) => {
    const none = sample([], { judgements: [], refused });
    expect(combine([none, none, none])).toMatchObject({
      status: 'insufficient_evidence',
      score: null,
      reason: refused,
      needs_review: true,
    });
  });

  it('reports instructions that any sample saw', () => {
    expect(combine([sample([]), sample([], { instructs_the_assessor: true })]).instructs).toBe(true);
  });

  it('is the same for the same samples in any order, except for the choice of quotes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.subarray(criteria.map(({ id }) => id)), { minLength: 3, maxLength: 3 }),
        (met) => {
          const samples = met.map((ids) => sample(ids));
          expect(combine(samples.toReversed())).toEqual(combine(samples));
        },
      ),
    );
  });
});
