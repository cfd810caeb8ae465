import type { Client } from 'pg';
import { createQueries } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import { merchants, people } from '../accounts';
import type { SeedMerchant } from '../accounts';
import { fixedId, interviewId, positionIds } from '../fixed-id';
import type { SeedInterview } from '../interview-list';
import { seedInterview } from '../interviews';
import { dayMs, historyYears } from './seasons';
import type { Season, HistorySpan } from './seasons';

/** An opening for which people apply: an interview, or a position with its steps in order. */
export type Opening = HistorySpan & {
  owner: SeedMerchant;
  environment: Environment;
  steps: readonly string[];
  positionId: string | null;
  perWeek: number;
  season: Season;
  /** The mean score of the candidates, from 0 to 10. */
  score: number;
  language: string;
};

const { main, other, sub } = merchants;
const opening = (steps: string[], perWeek: number, season: Season, more: Partial<Opening> = {}): Opening => ({
  owner: main,
  environment: 'production',
  steps,
  positionId: null,
  perWeek,
  season,
  score: 6.2,
  language: 'en',
  ...more,
});

const interview = (key: string, name: string, department: string): SeedInterview => ({
  key,
  owner: main,
  name,
  type: 'interview',
  status: 'active',
  template: key.endsWith('screening') ? 'interactive_voice' : 'interactive_avatar_2',
  visibility: 'sub_item',
  department,
});
const steps = [
  interview('sales-screening', 'Account executive: screening', 'Sales'),
  interview('sales-case', 'Account executive: customer case', 'Sales'),
  interview('lead-screening', 'Warehouse team lead: screening', 'Operations'),
  interview('lead-shift', 'Warehouse team lead: planning a shift', 'Operations'),
  interview('junior-screening', 'Junior developer: screening', 'Engineering'),
  interview('junior-pair', 'Junior developer: pair programming', 'Engineering'),
];

const positions = [
  { key: 'sales', name: 'Account executive', department: 'Sales', location: 'Rotterdam', recruiter: people.operator },
  { key: 'lead', name: 'Warehouse team lead', department: 'Operations', location: 'Venlo', recruiter: people.merchant },
  { key: 'junior', name: 'Junior developer', department: 'Engineering', location: 'Remote', recruiter: people.merchant_owner },
] as const; // prettier-ignore
const positionId = (key: (typeof positions)[number]['key']) => fixedId(`position ${key}`);

export const openings: readonly Opening[] = [
  opening(['screening', 'second'], 6.5, 'retail', { positionId: positionIds.main, score: 6 }),
  opening(['sales-screening', 'sales-case'], 4, 'hiring', {
    positionId: positionId('sales'),
    from: 0.25,
    score: 5.8,
  }),
  opening(['lead-screening', 'lead-shift'], 3.5, 'retail', { positionId: positionId('lead'), from: 0.55 }),
  opening(['junior-screening', 'junior-pair'], 4.5, 'hiring', {
    positionId: positionId('junior'),
    from: 0.1,
    to: 0.45,
    score: 5.6,
  }),
  opening(['active'], 4, 'hiring', { score: 6.7 }),
  opening(['assessment'], 3.5, 'retail', { score: 7.1 }),
  opening(['german'], 2, 'hiring', { language: 'de' }),
  opening(['archived'], 2, 'hiring', { from: 0.05, to: 0.5, score: 6.5 }),
  opening(['uat'], 0.7, 'hiring', { environment: 'uat' }),
  opening(['other'], 3, 'retail', { owner: other, positionId: positionIds.other }),
  opening(['sub'], 1, 'hiring', { owner: sub }),
];

/** Seeds the positions and the interviews of their steps. They are created shortly before the history begins. */
export async function seedOpenings(client: Client, now: number): Promise<void> {
  const trx = createQueries(client);
  const madeAt = new Date(now - historyYears * 365 * dayMs - dayMs).toISOString();
  for (const [index, each] of steps.entries()) await seedInterview(trx, each, index, madeAt);
  for (const { key, name, department, location, recruiter } of positions) {
    const id = positionId(key);
    await client.query(
      `insert into position (id, merchant_id, environment, name, status, visibility, interview_location, description,
         interview_department, recruiter_profile_id, created_at, updated_at)
       values ($1, $2, 'production', $3, $4, 'merchant_public', $5, $6, $7, $8, $9, $9)`,
      [
        id,
        main.id,
        name,
        key === 'junior' ? 'completed' : 'active',
        location,
        `${name}: a short screening first, then a conversation about the work.`,
        department,
        recruiter.id,
        madeAt,
      ],
    );
    await client.query(
      `insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
       select $1, 'production', $2, step, place from unnest($3::uuid[]) with ordinality as s (step, place)`,
      [main.id, id, steps.filter((step) => step.key.startsWith(key)).map((step) => interviewId(step.key))],
    );
  }
  await client.query(
    `update position set interview_department = 'Support', recruiter_profile_id = $2
     where id = $1 and interview_department is null and recruiter_profile_id is null`,
    [positionIds.main, people.merchant.id],
  );
}
