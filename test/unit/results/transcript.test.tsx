import { linkEvidence } from '../../../api/results/evidence';
import { resultDetailsExample } from '../../../api/results/result-example';
import { maxTranscriptCharacters, Transcript } from '../../../api/results/result-transcript';
import type { ResultDetails } from '../../../api/results/result-words';
import { render } from '../../harness/identity/visitor';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';

const limitMs = 100;
const parts = 250;
const [spoken] = resultDetailsExample.transcript;
/** A result whose transcript fills ten pages. */
const result = {
  ...resultDetailsExample,
  transcript: Array.from({ length: parts }, (_, index) => ({
    ...spoken,
    question_asked: `question ${index}.`,
    ai_analysis_recruiter: null,
    answer_assessment_raw_data: null,
    answer: '<'.repeat((10 * maxTranscriptCharacters) / parts - 20),
  })),
} as ResultDetails;
const review = { max_score: 10, runs: [], decisions: [] };
const page = (offset: number) =>
  render(<Transcript result={result} evidence={linkEvidence(result)} review={review} offset={offset} />);

describe('a long transcript', () => {
  it('has pages that do not block the event loop', () => {
    const ms = cpuMilliseconds(() => void page(0), limitMs / 2);
    expect([ms < limitMs, ms]).toEqual([true, ms]);
  });

  it('shows every part on one of its pages', () => {
    const pages = Array.from({ length: 10 }, (_, offset) => page(offset));
    const questions = pages.flatMap((html) =>
      [...html.matchAll(/question (\d+)\./g)].map(([, index]) => index),
    );
    expect(questions.map(Number)).toEqual(Array.from({ length: parts }, (_, index) => index));
    expect(pages[0]).toContain('1 of 10');
    expect(page(1_000)).toBe(pages[9]);
  });
});

describe('a part of the transcript', () => {
  const shown = (more: object) => {
    const one = { ...result, transcript: [{ ...spoken, ...more }] } as ResultDetails;
    return render(<Transcript result={one} evidence={linkEvidence(one)} review={review} offset={0} />);
  };

  it.each([
    ['strong', 'yes', 'good">Met'],
    ['strong', 'no', 'plain">Not met'],
    ['weak', 'yes', 'warn">Observed'],
    ['weak', 'no', 'good">Not observed'],
    ['weak', 'unclear', 'warn">Unclear'],
  ])('marks a %s criterion whose verdict is %s', (bracket, met, badge) => {
    const criteria = [{ bracket, text: 'Blames others', met, quote: null, start: null, end: null }];
    const answer_assessment_raw_data = { status: 'scored', bracket: 'moderate', criteria };
    expect(shown({ answer_assessment_raw_data })).toContain(`<span class="badge ${badge}</span>`);
  });

  it.each([
    ['typed', 'Typed'],
    ['audio', 'Spoken'],
    ['video', 'Video'],
    ['choice', undefined],
  ])('says how an answer was given: %s', (answer_mode, label) => {
    const words = ['Typed', 'Spoken', 'Video'].filter((word) =>
      shown({ answer_mode }).includes(` · ${word}`),
    );
    expect(words).toEqual(label === undefined ? [] : [label]);
  });
});
