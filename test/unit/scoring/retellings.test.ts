import { createEvidenceCheck, makeReadable } from '../../../activities/scoring/evidence';
import { readGold } from '../../../bench/eval/gold';

const { paraphrases, honest } = readGold();
const rejectionOf = (quote: string, answer = quote) =>
  createEvidenceCheck([makeReadable({ turn_id: 't1', question: '', answer }, [])], [])(quote).rejected;

describe('a quote that says that something was told', () => {
  it.each(paraphrases.flatMap(({ claims }) => Object.values(claims)))('is rejected: %s', (sentence) => {
    expect(rejectionOf(sentence)).toBe('retelling');
  });

  it('is rejected without its beginning, and with words of another clause that are no quote by themselves', () => {
    const answer = 'Yes, I gave numbers about how much faster the build became, and I cut the tests in half.';
    expect(rejectionOf('how much faster the build became', answer)).toBe('retelling');
    expect(rejectionOf('faster the build became, and I', answer)).toBe('retelling');
    expect(rejectionOf('I cut the tests in half', answer)).toBeNull();
    expect(rejectionOf(answer)).toBeNull();
  });

  it.each(honest.paraphrases)('is accepted if it says more: %s', (sentence) => {
    expect(rejectionOf(sentence)).toBeNull();
  });
});
