import { emailKey } from '../../../db/people/email-key';
import { people } from '../accounts';
import { firstNames, lastNames } from '../candidates';
import { fixedId, interviewId } from '../fixed-id';
import { attemptOf, decisionOf } from './attempts';
import type { SeededAttempt, SeededAttemptRow } from './attempts';
import type { Opening } from './openings';
import { openings } from './openings';
import type { Random } from './random';
import { dayMs, eventTimesIn } from './seasons';

type Row = Record<string, unknown>;
/** The rows to insert, by table. */
export type History = {
  profiles: Row[];
  enrolments: Row[];
  results: SeededAttemptRow[];
  /** Earlier attempts that were finished before the candidate took the interview again. */
  finished: SeededAttemptRow[];
  invitations: Row[];
  mails: Row[];
};

export const emptyHistory = (): History => ({
  profiles: [],
  enrolments: [],
  results: [],
  finished: [],
  invitations: [],
  mails: [],
});

const instant = (time: number): string => new Date(time).toISOString();
const sources = [
  'invited',
  'invited',
  'invited',
  'invited',
  'registered',
  'registered',
  'public',
  'embed',
] as const;

/** Adds candidates for all openings, with their invitations and results. */
export function addApplications(random: Random, history: History, now: number): void {
  let number = 0;
  for (const opening of openings)
    for (const at of eventTimesIn(random, now, opening))
      addApplication(random, history, { opening, at, now, number: ++number });
}

type Application = { opening: Opening; at: number; now: number; number: number };

function addApplication(random: Random, history: History, application: Application): void {
  const { opening, at, now, number } = application;
  const { steps, positionId, owner, environment } = opening;
  const scope = { merchant_id: owner.id, environment };
  const person = personOf(random, number);
  const source = random.pick(sources);
  const isInvited = source === 'invited';
  const enrolmentId = fixedId(`history enrolment ${number}`);
  const base = { ...scope, enrolment_id: enrolmentId };
  if (isInvited) addInvitation(random, history, application, { enrolmentId, profileId: person.id });
  history.profiles.push({ ...person, merchant_id: owner.id, role: 'candidate', created_at: instant(at) });

  let step = 0;
  const reply = isInvited ? Math.min(14, 0.05 + random.wait(1.6)) * dayMs : random.wait(900_000);
  let startedAt = random.chance(isInvited ? 0.8 : 0.93) ? at + reply : Infinity;
  if (isInvited && startedAt - at > 3 * dayMs && at + 3 * dayMs < now)
    history.mails.push({ ...base, profile_id: person.id, created_at: instant(at + 3 * dayMs) });
  if (random.chance(0.015) && at + dayMs < now)
    history.results.push({ ...testOf(random, application, enrolmentId, at), ...base });
  while (startedAt < now) {
    const taken = take(random, history, application, { enrolmentId, step, startedAt });
    const decision = taken.isCompleted ? decisionOf(random, taken, now) : undefined;
    history.results.push({ ...taken.row, ...decision?.row, ...base });
    if (!decision?.isAdvanced || step + 1 >= steps.length) break;
    step++;
    startedAt = decision.decidedAt + (0.1 + random.wait(2)) * dayMs;
  }
  history.enrolments.push({
    ...scope,
    id: enrolmentId,
    interview_id: interviewId(steps[step] ?? ''),
    position_id: positionId,
    profile_id: person.id,
    name: person.name,
    email: person.email,
    email_key: person.email_key,
    source,
    invited_at: isInvited ? instant(at) : null,
    created_at: instant(at),
    updated_at: instant(at),
  });
}

function personOf(random: Random, number: number) {
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  const local = name
    .normalize('NFD')
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '.')
    .toLowerCase();
  const email = `${local}.${number}@candidates.example`;
  return { id: fixedId(`history person ${number}`), name, email, email_key: emailKey(email) };
}

/**
 * Returns a candidate's attempt at one step of an opening. Some candidates take the step twice: `history.finished`
 * then gets the first attempt, whose score is lower.
 */
function take(
  random: Random,
  history: History,
  { opening, now, number }: Application,
  { enrolmentId, step, startedAt }: { enrolmentId: string; step: number; startedAt: number },
): SeededAttempt {
  const { owner, environment, score } = opening;
  const years = (now - startedAt) / (365 * dayMs);
  const input = {
    resultId: fixedId(`history result ${number} ${step}`),
    interviewId: interviewId(opening.steps[step] ?? ''),
    enrolmentId,
    now,
    // Scores rise over the years. Candidates score higher at a second step, because they were selected at the first.
    score: score + 0.3 - 0.3 * years + step * 0.8,
    minutes: step > 0 ? 21 : 13,
  };
  if (!random.chance(0.08)) return attemptOf(random, number, { ...input, startedAt, attempt: 1 });
  const first = attemptOf(random, number, {
    ...input,
    startedAt,
    attempt: 1,
    score: score - 1,
    isSurelyCompleted: true,
  });
  const againAt = first.endedAt + (0.5 + random.wait(2)) * dayMs;
  if (!first.isCompleted || againAt > now) return first;
  history.finished.push({ ...first.row, merchant_id: owner.id, environment, reopened_at: instant(againAt) });
  return attemptOf(random, number, { ...input, startedAt: againAt, attempt: 2 });
}

/** Returns an attempt that a recruiter made with a test link. */
const testOf = (
  random: Random,
  { opening, now, number }: Application,
  enrolmentId: string,
  startedAt: number,
): SeededAttemptRow =>
  attemptOf(random, number, {
    resultId: fixedId(`history test ${number}`),
    interviewId: interviewId(opening.steps[0] ?? ''),
    enrolmentId,
    now,
    startedAt,
    attempt: 1,
    score: 7,
    minutes: 5,
    isTest: true,
  }).row;

function addInvitation(
  random: Random,
  history: History,
  { opening, at }: Application,
  ids: { enrolmentId: string; profileId: string },
): void {
  const { owner, environment, positionId, steps, language } = opening;
  const common = {
    merchant_id: owner.id,
    environment,
    invited_at: instant(at),
    inviter_id:
      owner.id === people.merchant.merchantId && random.chance(0.7) ? random.pick(recruiters).id : null,
    type: 'candidate',
    channel: random.chance(0.88) ? 'email' : 'link',
    interview_id: interviewId(steps[0] ?? ''),
    position_id: positionId,
    language,
    is_test: false,
  };
  history.invitations.push({
    ...common,
    result: 'invited',
    enrolment_id: ids.enrolmentId,
    profile_id: ids.profileId,
    expires_at: instant(at + 30 * dayMs),
  });
  // Some rows of a call that invites people are invalid or repeat an earlier row, so they invite no person.
  if (random.chance(0.05)) history.invitations.push({ ...common, result: random.pick(['skipped', 'error']) });
}

const recruiters = [people.merchant, people.merchant, people.operator, people.merchant_owner];
