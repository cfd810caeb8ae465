import type { VNode } from 'preact';
import { Link } from '../platform/site/elements';

/** Links to a page of the console. */
export const pageLink = (path: string, label: string): VNode => <Link to={path}>{label}</Link>;

/** The nouns of people, by their roles. */
export const peopleNouns = {
  candidate: ['candidate', 'candidates'],
  merchant_owner: ['owner', 'owners'],
  merchant: ['recruiter', 'recruiters'],
  merchant_selection: ['hiring manager', 'hiring managers'],
  user: ['coaching user', 'coaching users'],
  mentor: ['mentor', 'mentors'],
} as const;

/** Formats a number from the details with its noun, such as `3 candidates`. */
export function formatCount(amount: unknown, [one, many]: readonly [string, string]): string {
  return `${Number(amount)} ${amount === 1 ? one : many}`;
}
