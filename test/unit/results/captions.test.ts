import { hasCaptions, writeCaptions } from '../../../api/results/captions';
import { resultDetailsExample } from '../../../api/results/result-example';
import type { ResultDetails } from '../../../api/results/result-words';

type Part = ResultDetails['transcript'][number];
const [example] = resultDetailsExample.transcript;
const partOf = (changes: Partial<Part>): Part => ({ ...(example as Part), ...changes });
const resultOf = (transcript: Part[], duration: number | null = 300): ResultDetails => ({
  ...resultDetailsExample,
  duration,
  transcript,
});

describe('writeCaptions', () => {
  it('divides an answer over its duration', () => {
    const part = partOf({ answer: `${'a'.repeat(79)} ${'b'.repeat(80)}`, duration: 160 });
    expect(writeCaptions(resultOf([part]), part)).toBe(
      `WEBVTT\n\n00:00:00.000 --> 00:00:08.000\n${'a'.repeat(79)}\n\n00:00:08.000 --> 00:00:16.000\n${'b'.repeat(80)}\n`,
    );
  });

  it('has the questions and answers of a session in order, over its duration', () => {
    const parts = [
      partOf({ question_asked: 'Welcome', answer: null }),
      partOf({ question_asked: 'Why you', answer: 'Because' }),
    ];
    expect(writeCaptions(resultOf(parts, 210), undefined)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:07.000\nWelcome\n\n00:00:07.000 --> 00:00:14.000\nWhy you\n\n00:00:14.000 --> 00:00:21.000\nBecause\n',
    );
  });

  it('cannot end a cue or begin a tag with a text', () => {
    const part = partOf({ answer: 'a\n\n00:00 --> 00:09 <b>&amp;' });
    expect(writeCaptions(resultOf([part]), part)).toMatch(/\na 00:00 --&gt; 00:09 &lt;b&gt;&amp;amp;\n$/);
  });

  it('keeps every character of a text without spaces', () => {
    const answer = '我们测量了两半'.repeat(40) + '😀'.repeat(50);
    const part = partOf({ answer, duration: null });
    const shown = writeCaptions(resultOf([part]), part)
      ?.split('\n')
      .filter((line) => !/^$|WEBVTT|-->/.test(line));
    expect(shown?.join('')).toBe(answer);
    expect(shown?.every((line) => Array.from(line).length <= 84)).toBe(true);
  });

  it('is undefined without a text', () => {
    const part = partOf({ answer: ' \n', question_asked: null, question_original: null });
    expect(writeCaptions(resultOf([part]), part)).toBeUndefined();
    expect(writeCaptions(resultOf([part]), undefined)).toBeUndefined();
    expect(hasCaptions(resultOf([part]), part)).toBe(false);
  });
});
