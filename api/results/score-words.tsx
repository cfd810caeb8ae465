import type { VNode } from 'preact';
import type { Bracket } from '../../db/results/assessment';
import { Badge } from '../platform/site/elements';
import type { Tone } from '../platform/site/elements';

/** Explains each bracket to the people who decide about candidates. */
export const bracketMeaning: Readonly<Record<Bracket, string>> = {
  strong: 'Strong: quotes from the answers back most of the criteria of a strong answer.',
  moderate:
    'Moderate: quotes back some criteria of a strong answer, or at least half of those of a moderate one.',
  weak: 'Weak: quotes back few of the criteria of a moderate or strong answer.',
};

const bracketTones: Readonly<Record<Bracket, Tone>> = { strong: 'good', moderate: 'plain', weak: 'warn' };

export const BracketBadge = ({ bracket }: { bracket: Bracket }): VNode => (
  <Badge tone={bracketTones[bracket]}>{bracket.slice(0, 1).toUpperCase() + bracket.slice(1)}</Badge>
);

/** Why an answer has no score. */
const reasons: Readonly<Record<string, string>> = {
  too_little_said: 'The candidate said too little to score this answer.',
  refused: 'The model declined to assess this answer, or its reply was cut off.',
  too_long: 'This answer is too long for the model to assess.',
  malformed: 'The model did not return a usable assessment of this answer.',
  unavailable_transcript: 'The recording of this answer could not be transcribed.',
  no_answer: 'The candidate did not answer this question.',
  no_rubric: 'This question has no rubric, so it is not scored.',
};

/** Returns a sentence that says why an answer has no score. A missing score never counts as a low score. */
export const reasonWords = (reason: string | null | undefined): string =>
  (reason && Object.hasOwn(reasons, reason) && reasons[reason]) ||
  'There is too little evidence to score this answer.';

type Flag = { title: string; advice: string };
const flags: Readonly<Record<string, Flag>> = {
  instructs_the_assessor: {
    title: 'Instructions to the assessor',
    advice:
      'An answer contains text that tells the assessor what to do. These sentences were not counted as evidence. Read the answer yourself.',
  },
  needs_review: {
    title: 'Needs review',
    advice:
      'Repeated assessments differ or are missing, or quotes could not be found in the answers. Check the criteria against the transcript.',
  },
  edited_after: {
    title: 'Edited answers',
    advice: 'The candidate edited answers before submitting. The edited text was scored.',
  },
  unavailable_transcript: {
    title: 'Missing transcript',
    advice: 'A recorded answer could not be transcribed and was not scored. Listen to the recording.',
  },
};

/** Returns what a flag means and what to do, or undefined for a flag that the scoring does not set. */
export const flagWords = (key: string): Flag | undefined =>
  Object.hasOwn(flags, key) ? flags[key] : undefined;
