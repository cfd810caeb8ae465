import { criteriaOf } from '../../../activities/scoring/criteria';
import { isEnough } from '../../../activities/scoring/enough';
import type { Met } from '../../../activities/scoring/types';

const criteria = criteriaOf({ weak: ['Is vague'], moderate: ['Says how'], strong: ['Gives figures'] });
const sample = (met: Record<string, Met>, instructs = false) => ({
  instructs_the_assessor: instructs,
  judgements: Object.entries(met).map(([criterion_id, each]) => ({
    criterion_id,
    met: each,
    quote: null,
    start: null,
    end: null,
    turn_id: null,
    rejected: null,
  })),
});

it.each([
  ['all moderate and strong criteria are shown', sample({ w1: 'no', m1: 'yes', s1: 'yes' }), true],
  ['one has no verified quote', sample({ w1: 'no', m1: 'yes', s1: 'unclear' }), false],
  ['the model judged nothing', sample({}), false],
  ['an answer directs the assessor', sample({ m1: 'yes', s1: 'yes' }, true), false],
])('says whether the answers are enough if %s', (_name, one, enough) => {
  expect(isEnough(criteria, one)).toBe(enough);
  expect(isEnough(criteriaOf({ weak: ['Is vague'], moderate: [], strong: [] }), one)).toBe(false);
});
