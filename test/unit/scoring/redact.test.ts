import { findNamesToRedact } from '../../../activities/scoring/redact';

describe('findNamesToRedact', () => {
  it('finds addresses with characters that mean something in regular expressions', () => {
    const text = 'Write to Anna-Maria.lee+jobs@mail.example, please.';
    expect(findNamesToRedact(text, ['anna-maria.lee+jobs@mail.example'])).toEqual([
      { start: 9, end: 41, text: 'Candidate' },
    ]);
  });
});
