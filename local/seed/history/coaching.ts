import { emailKey } from '../../../db/people/email-key';
import { merchants } from '../accounts';
import { firstNames, lastNames } from '../candidates';
import { fixedId, interviewId } from '../fixed-id';
import type { History } from './applications';
import { attemptOf } from './attempts';
import type { Random } from './random';
import { dayMs, eventTimesIn } from './seasons';

const learnerCount = 36;
const sessions = [
  'one-on-one', 'one-on-one', 'delegate', 'delegate', 'peer-conflict', 'praise', 'receive-feedback', 'feedback', 'salary',
  'discovery', 'discovery', 'safety-talk', 'feedback-de',
] as const; // prettier-ignore
/** How many attempts a learner makes at one session at most. */
const maxAttempts = 4;

const scope = { merchant_id: merchants.main.id, environment: 'production' };
const instant = (time: number): string => new Date(time).toISOString();

/** Adds learners who take coaching sessions, some of them several times with better scores. */
export function addCoaching(random: Random, history: History, now: number): void {
  const learners = Array.from({ length: learnerCount }, (_, index) => learnerOf(random, index));
  const taken = new Map<string, { learner: Learner; key: string; startedAt: number }[]>();
  for (const startedAt of eventTimesIn(random, now, { perWeek: 6, season: 'learning' })) {
    // At first, only some of the learners have joined. Their number grows over the two years.
    const joined = Math.ceil(learnerCount * (0.4 + 0.6 * (1 - (now - startedAt) / (730 * dayMs))));
    const learner = learners[random.int(0, Math.max(0, joined - 1))];
    const key = random.pick(sessions);
    if (!learner) continue;
    const id = `${learner.number} ${key}`;
    const earlier = taken.get(id) ?? [];
    if (earlier.length === maxAttempts) continue;
    taken.set(id, [...earlier, { learner, key, startedAt }]);
  }
  for (const [id, attempts] of taken) {
    const [first] = attempts;
    if (!first) continue;
    const { learner, key } = first;
    const enrolmentId = fixedId(`history practice ${id}`);
    const rows = attempts.map(({ startedAt }, at) => ({
      ...attemptOf(random, learner.number, {
        resultId: fixedId(`history session ${id}`),
        interviewId: interviewId(key),
        enrolmentId,
        attempt: at + 1,
        startedAt,
        now,
        score: learner.score + at * 0.7,
        minutes: 9,
        isSurelyCompleted: at + 1 < attempts.length,
      }).row,
      ...scope,
    }));
    const last = rows.at(-1);
    if (last) history.results.push(last);
    for (const [at, row] of rows.slice(0, -1).entries())
      history.finished.push({ ...row, reopened_at: instant(attempts[at + 1]?.startedAt ?? now) });
    history.enrolments.push({
      ...scope,
      id: enrolmentId,
      interview_id: interviewId(key),
      profile_id: learner.id,
      name: learner.name,
      email: learner.email,
      email_key: learner.email_key,
      source: 'registered',
      created_at: instant(first.startedAt),
      updated_at: instant(first.startedAt),
    });
    learner.since = Math.min(learner.since, first.startedAt);
  }
  for (const { id, name, email, email_key, since } of learners)
    if (since < now)
      history.profiles.push({
        id,
        name,
        email,
        email_key,
        merchant_id: merchants.main.id,
        role: 'user',
        created_at: instant(since - dayMs),
        activated_at: instant(since),
      });
}

type Learner = ReturnType<typeof learnerOf>;

function learnerOf(random: Random, number: number) {
  const name = `${firstNames[(number * 7 + 3) % firstNames.length]} ${lastNames[(number * 5 + 2) % lastNames.length]}`;
  const local = name
    .normalize('NFD')
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '.')
    .toLowerCase();
  const email = `${local}.${number}@northwind-talent.example`;
  return {
    id: fixedId(`history learner ${number}`),
    number,
    name,
    email,
    email_key: emailKey(email),
    score: random.around(5.8, 0.8),
    since: Infinity,
  };
}
