import type { z } from 'zod';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { jobInterviewDetails } from './job-interview-details';
import type { MerchantResult } from './merchant-result-list';
import { badge } from '../platform/site/elements';

export type ResultDetails = z.output<typeof jobInterviewDetails.reply>;

type States = Pick<MerchantResult, 'status' | 'interview_status' | 'processing_status'>;

/** Summarizes the three states of a result in one badge. */
export function standingBadge({ status, interview_status, processing_status }: States): Html {
  if (status === 'active') {
    if (processing_status === 'completed') return badge('scored', 'good');
    return processing_status === 'failed' ? badge('scoring failed', 'bad') : badge('being scored', 'warn');
  }
  if (interview_status === null) return badge('not begun again');
  if (interview_status === 'started') return badge('under way', 'warn');
  return interview_status.startsWith('completed')
    ? badge('not submitted yet', 'warn')
    : badge(interview_status, 'bad');
}

export function decisionBadge(decision: boolean | null): Html {
  if (decision === null) return html`<span class="soft">undecided</span>`;
  return decision ? badge('advanced', 'good') : badge('rejected', 'bad');
}

/** Rounds a number to one decimal. Null stays null, which the pages show as a dash. */
export const number = (value: number | null): string | null =>
  value === null ? null : String(Math.round(value * 10) / 10);

/** Formats deciseconds as `12 min 5 s`. */
export function spoken(deciseconds: number | null): string | null {
  if (deciseconds === null) return null;
  const seconds = Math.round(deciseconds / 10);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
