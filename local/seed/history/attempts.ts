import { scoresOf } from '../results';
import type { Random } from './random';
import { dayMs } from './seasons';

const minuteMs = 60_000;
const instant = (time: number): string => new Date(time).toISOString();

/** One attempt as a row of `interview_result`. */
export type SeededAttemptRow = Record<string, unknown> & {
  id: string;
  interview_id: string;
  enrolment_id: string;
  attempt: number;
};
export type SeededAttempt = { row: SeededAttemptRow; endedAt: number; isCompleted: boolean; score: number };

type AttemptInput = {
  resultId: string;
  interviewId: string;
  enrolmentId: string;
  attempt: number;
  startedAt: number;
  now: number;
  /** The score, from 0 to 10, around which the random score lies. */
  score: number;
  /** The length, in minutes, around which the random length lies. */
  minutes: number;
  isTest?: boolean;
  /** True if the attempt must be completed, for example because another one follows it. */
  isSurelyCompleted?: boolean;
};

/**
 * Returns an attempt that began at `startedAt`. Most attempts are completed; a few are abandoned, fail or are still
 * running.
 */
export function attemptOf(random: Random, index: number, input: AttemptInput): SeededAttempt {
  const { startedAt, now, isTest = false } = input;
  const length = Math.max(2, random.around(input.minutes, input.minutes / 3.5)) * minuteMs;
  const isRunning = startedAt + length > now;
  const fate = isRunning ? 'started' : fateOf(random, input.isSurelyCompleted === true);
  const isCompleted = fate === 'completed' || fate === 'completed, stopped early';
  const share = isCompleted ? 1 : 0.15 + random.next() * 0.5;
  const endedAt = startedAt + length * share;
  // A few candidates complete the interview without submitting it.
  const isSubmitted = isCompleted && (input.isSurelyCompleted === true || random.chance(0.97));
  const tenths = Math.round(Math.min(98, Math.max(8, 10 * random.around(input.score, 1.5))));
  const row = {
    id: input.resultId,
    interview_id: input.interviewId,
    enrolment_id: input.enrolmentId,
    attempt: input.attempt,
    is_test: isTest,
    status: isSubmitted ? 'active' : 'draft',
    interview_status: fate,
    processing_status: isSubmitted ? 'completed' : null,
    duration: isCompleted ? Math.round(length / 100) : null,
    charge: isTest || !isCompleted ? (fate === 'started' ? null : 'free') : 'charged',
    started_at: instant(startedAt),
    ended_at: fate === 'started' ? null : instant(endedAt),
    submitted_at: isSubmitted ? instant(endedAt) : null,
    ai_interview_coverage_percentage: isCompleted ? random.int(70, 100) : null,
    ai_completion_reason: reasons[fate] ?? null,
    recruiter_shortlist: false,
    created_at: instant(startedAt),
    updated_at: instant(endedAt),
    ...(isSubmitted ? scoresOf(index, startedAt, tenths) : {}),
    ...(isSubmitted && random.chance(0.06) ? { recruiter_risks: risks } : {}),
  };
  return { row, endedAt, isCompleted: isSubmitted, score: tenths / 10 };
}

const reasons: Record<string, string> = {
  completed: 'all_questions_answered',
  'completed, stopped early': 'stopped_early',
  failed: 'technical_error',
  abandoned: 'left',
  'terminated, no speech detected': 'no_speech',
};
const risks = [
  { key: 'availability', severity: 'warning', confidence: 0.7, note: 'Can start in four months.' },
];

function fateOf(random: Random, isSurelyCompleted: boolean): string {
  const drawn = isSurelyCompleted ? 0 : random.next();
  if (drawn < 0.8) return 'completed';
  if (drawn < 0.85) return 'completed, stopped early';
  if (drawn < 0.94) return 'abandoned';
  return drawn < 0.98 ? 'failed' : 'terminated, no speech detected';
}

/**
 * Returns the recruiter's decision on an attempt with this score, or undefined if the recruiter has not decided yet.
 */
export function decisionOf(random: Random, { endedAt, score }: SeededAttempt, now: number) {
  const decidedAt = endedAt + (0.2 + random.wait(2.2)) * dayMs;
  const isShortlisted = score > 6.8 && random.chance(0.6);
  if (decidedAt > now || random.chance(0.05)) return { row: { recruiter_shortlist: isShortlisted } };
  const isAdvanced = random.chance(1 / (1 + Math.exp(-1.6 * (score - 6.6))));
  return {
    decidedAt,
    isAdvanced,
    row: {
      decided_at: instant(decidedAt),
      updated_at: instant(decidedAt),
      recruiter_go_next_round: isAdvanced,
      recruiter_shortlist: isShortlisted,
      user_feedback_recruiter: random.chance(0.15) ? 'Pleasant to talk to; check the references.' : null,
    },
  };
}
