import type { VNode } from 'preact';
import type { z } from 'zod';
import { Badge } from '../platform/site/elements';
import type { Tone } from '../platform/site/elements';
import type { jobInterviewDetails } from './job-interview-details';
import type { MerchantResult } from './merchant-result-list';
import type { completionReason, stopReason } from './result-enums';

export type ResultDetails = z.output<typeof jobInterviewDetails.reply>;

type States = Pick<MerchantResult, 'status' | 'interview_status' | 'processing_status'>;

/** Returns true for a visit of a public avatar. Every other result without a candidate is of a test link. */
export const isAvatarVisit = ({
  candidate,
  is_test,
}: Pick<MerchantResult, 'candidate' | 'is_test'>): boolean => candidate === null && !is_test;

/** Shows the three states of a result as one badge. A visit of a public avatar is in progress or has ended. */
export function StateBadge({ isVisit: visited = false, ...states }: States & { isVisit?: boolean }): VNode {
  const [name, tone] =
    visited && states.interview_status !== 'started' ? (['Ended', 'plain'] as const) : stateOf(states);
  return <Badge tone={tone}>{name}</Badge>;
}

function stateOf({ status, interview_status, processing_status }: States): [name: string, tone: Tone] {
  if (status === 'active') {
    if (processing_status === 'completed') return ['Scored', 'good'];
    return processing_status === 'failed' ? ['Scoring failed', 'bad'] : ['Scoring', 'warn'];
  }
  if (interview_status === null) return ['Not started', 'plain'];
  if (interview_status === 'started') return ['In progress', 'warn'];
  if (interview_status.startsWith('completed')) return ['Not submitted', 'warn'];
  return [interview_status.slice(0, 1).toUpperCase() + interview_status.slice(1).replaceAll('_', ' '), 'bad'];
}

export function DecisionBadge({ decision }: { decision: boolean | null }): VNode {
  if (decision === null) return <span class="soft">Undecided</span>;
  return decision ? <Badge tone="good">Advanced</Badge> : <Badge tone="bad">Rejected</Badge>;
}

export const completionReasonNames: Record<z.output<typeof completionReason>, string> = {
  all_questions_answered: 'All questions were answered',
  time_over: 'The time was over',
  stopped_early: 'Stopped early',
  no_speech: 'No speech',
  left: 'The candidate left',
  technical_error: 'Technical error',
};
export const stopReasonNames: Record<z.output<typeof stopReason>, string> = {
  enough: 'Stopped early: the answers were enough',
  empty: 'Stopped early: three empty answers in a row',
};

/** Rounds a number to two decimals. Null stays null, and the pages show it as a dash. */
export const roundedText = (value: number | null): string | null =>
  value === null ? null : String(Math.round(value * 100) / 100);

/** Formats a duration, given in tenths of a second, as `12 min 5 s`. */
export function duration(deciseconds: number | null): string | null {
  if (deciseconds === null) return null;
  const seconds = Math.round(deciseconds / 10);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes > 0 && `${minutes} min`, (rest > 0 || minutes === 0) && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}
