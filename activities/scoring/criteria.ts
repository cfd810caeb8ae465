import type { Bracket, Criterion, Rubric } from './types';

const brackets: readonly Bracket[] = ['weak', 'moderate', 'strong'];

/** Returns the items of a rubric with their ids. The same rubric always gives the same ids. */
export const criteriaOf = (rubric: Rubric): Criterion[] =>
  brackets.flatMap((bracket) =>
    rubric[bracket].map((text, index) => ({ id: `${bracket[0]}${index + 1}`, bracket, text })),
  );
