import { criteriaOf } from '../../../activities/scoring/criteria';
import { isEnoughEvidence } from '../../../activities/scoring/enough';
import type { CriterionVerdict } from '../../../activities/scoring/types';

const criteria = criteriaOf({ weak: ['Is vague'], moderate: ['Says how'], strong: ['Gives figures'] });
const answers = [{ turn_id: 't1', answer: 'I moved the tests away. It took 6 instead of 47 minutes.' }];
/** A sample in which each criterion that is met has a passage of its own, or the same one. */
const sample = (met: Record<string, CriterionVerdict>, instructs = false, isShared = false) => ({
  instructs_the_assessor: instructs,
  judgements: Object.entries(met).map(([criterion_id, each], index) => ({
    criterion_id,
    met: each,
    quote: each === 'yes' ? 'quote' : null,
    start: isShared ? 0 : 20 * index,
    end: isShared ? 20 : 20 * index + 15,
    turn_id: 't1',
    rejected: null,
  })),
});

it.each([
  ['all moderate and strong criteria are shown', sample({ w1: 'no', m1: 'yes', s1: 'yes' }), true],
  ['one has no verified quote', sample({ w1: 'no', m1: 'yes', s1: 'unclear' }), false],
  ['the model judged nothing', sample({}), false],
  ['an answer directs the assessor', sample({ m1: 'yes', s1: 'yes' }, true), false],
  ['one passage shows several', sample({ w1: 'no', m1: 'yes', s1: 'yes' }, false, true), false],
])('says whether the answers are enough if %s', (_name, one, enough) => {
  expect(isEnoughEvidence(criteria, one, answers)).toBe(enough);
  expect(isEnoughEvidence(criteriaOf({ weak: ['Is vague'], moderate: [], strong: [] }), one, answers)).toBe(
    false,
  );
});
