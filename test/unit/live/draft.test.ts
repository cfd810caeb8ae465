import { createHeardAnswer } from '../../../api/live/draft';

describe('a draft', () => {
  it('keeps no more words than an answer may have, however many the provider sends', () => {
    const draft = createHeardAnswer('turn', { isWhole: true });
    const sentence = 'I have planned the work of my whole team. ';
    for (let n = 0; n < 10; n += 1) {
      draft.begin(String(n));
      draft.write(String(n), sentence.repeat(100));
    }
    expect(draft.text()).toHaveLength(20_000);
    expect(draft.isSettled()).toBe(true);
  });
});
