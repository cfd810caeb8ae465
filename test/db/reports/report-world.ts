import { interviewTypes, templateTypes } from '../../../db/platform/vocabulary';
import type { CheckedBlock, CheckedFilters, Condition } from '../../../db/reports/checked-report';
import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';
import { datasets } from '../../../db/reports/datasets';
import { coachStatuses, processingStatuses } from '../../../db/results/vocabulary';
import { platformTemplateIds } from '../../../local/seed/templates';
import { createWorld, insertOf, putRow, uuid } from '../platform/world';
import type { Cell } from '../platform/world';
import type { Attempt } from './naive-fields';
import type { Random } from './random';

export const datasetOf = (id: string): Dataset => {
  const found = datasets.get(id);
  if (!found) throw new Error(`no dataset ${id}`);
  return found;
};
export const interviewResults = datasetOf('interview_results');

export const dimension = (id: string, dataset = interviewResults): Dimension => {
  const field = dataset.dimensions.get(id);
  if (!field) throw new Error(`no dimension ${id}`);
  return field;
};
export const measure = (id: string, dataset = interviewResults): Measure => {
  const field = dataset.measures.get(id);
  if (!field) throw new Error(`no measure ${id}`);
  return field;
};
export const shown = (id: string, where: readonly Condition[] = [], dataset = interviewResults) => ({
  as: id,
  label: id,
  measure: measure(id, dataset),
  where,
});

export const filtersOf = (more: Partial<CheckedFilters> = {}): CheckedFilters => ({
  positionIds: null,
  interviewIds: null,
  includeTest: false,
  timezone: 'UTC',
  ...more,
});

export const blockOf = (more: Partial<CheckedBlock>): CheckedBlock => ({
  id: 'any',
  type: 'table',
  title: null,
  dataset: interviewResults,
  dimensions: [],
  measures: [],
  where: [],
  having: [],
  sort: [{ column: more.dimensions?.[0]?.field.id ?? more.measures?.[0]?.as ?? '', dir: 'asc' }],
  limit: 500,
  period: null,
  compare: null,
  ...more,
});

export const periodOf = (from: string | null, to: string): CheckedBlock['period'] => ({
  from,
  to,
  preset: 'custom',
  firstDay: null,
  lastDay: to.slice(0, 10),
  previous: null,
});

/** Texts that would do harm if they became part of SQL. */
export const hostile = [
  `'; drop table report_attempt; --`,
  `a' or '1'='1`,
  '__proto__',
  '100%',
  '_ne',
  '\\',
  `\\' or true --`,
  '{zone}',
  '$1',
  '$$; select 1; $$',
  '"quoted"',
];

/**
 * Creates cells, which are merchants in one environment, and fills them with random attempts at interviews and
 * positions.
 */
export async function createReportWorld(
  random: Random,
  { rows = 300, instants }: { rows?: number; instants: () => number },
) {
  const world = await createWorld();
  const names = ['Baker', 'baker of bread', '100% remote', 'one_two', 'Back\\slash', ...hostile];

  async function fill(cell: Cell, count: number): Promise<void> {
    const people = [cell.taken.candidate, cell.free.candidate, cell.profileId, null];
    await world.database.rows(`update profile set name = 'Robin' where id = $1`, [cell.taken.person]);
    const positions: (string | null)[] = [null];
    const interviews: string[] = [];
    for (let each = 0; each < 4; each++) {
      const id = uuid();
      await putRow(world.database, 'position', cell, {
        id,
        name: random.pick(names),
        interview_location: random.pick(['Utrecht', 'Paris']),
        interview_department: random.pick([null, 'Sales', 'sales']),
        recruiter_profile_id: random.pick([null, cell.taken.person]),
      });
      positions.push(id);
    }
    for (let each = 0; each < 8; each++) {
      const id = uuid();
      await putRow(world.database, 'interview', cell, {
        id,
        name: random.pick(names),
        type: random.pick(interviewTypes),
        interview_template_id: platformTemplateIds[random.pick(templateTypes)],
        interview_department: random.pick([null, 'Sales', 'IT']),
        interview_location: random.pick(['Utrecht', 'Rome']),
        recruiter_profile_id: random.pick([null, cell.taken.person]),
      });
      interviews.push(id);
    }
    const quarter = (limit: number) => random.pick([null, random.below(limit * 4) / 4]);
    const attempts = Array.from({ length: count }, () => {
      const instant = instants();
      const started = random.chance(0.9) ? instant - random.below(3) * 1_800_000 : null;
      const ended = random.chance(0.85) ? instant : null;
      const submitted = random.pick([null, instant + 60_000]);
      const decision = random.pick([null, true, false]);
      return {
        merchant_id: cell.merchantId,
        environment: cell.environment,
        result_id: uuid(),
        attempt: 1 + random.below(3),
        interview_id: random.pick(interviews),
        position_id: random.pick(positions),
        profile_id: random.pick(people),
        source: random.pick([null, 'registered', 'invited']),
        language: random.pick(['en', 'nl', 'pt']),
        is_test: random.chance(0.1),
        instant: new Date(ended ?? started ?? instant).toISOString(),
        started_at: started && new Date(started).toISOString(),
        ended_at: ended && new Date(ended).toISOString(),
        submitted_at: submitted && new Date(submitted).toISOString(),
        decided_at: decision === null ? null : new Date(instant + random.below(500) * 1000).toISOString(),
        status: random.pick(['draft', 'active']),
        interview_status: random.pick([null, 'completed', 'completed', ...coachStatuses]),
        processing_status: random.pick([null, 'completed', ...processingStatuses]),
        decision,
        is_shortlisted: random.chance(0.3),
        has_risk_flags: random.chance(0.3),
        score: quarter(10),
        recruiter_score: quarter(10),
        pronunciation: quarter(100),
        words_per_minute: quarter(200),
        coverage: quarter(1),
        evidence_verified: quarter(1),
        duration: quarter(900),
      };
    });
    const columns = Object.keys(attempts[0] ?? {}).join(', ');
    await world.database.rows(
      `insert into report_attempt (${columns})
       select ${columns} from jsonb_populate_recordset(null::report_attempt, $1)`,
      [JSON.stringify(attempts)],
    );
  }
  // Triggers and foreign keys are off while the rows are inserted, to save time. Other tests check them.
  await world.database.rows('set session_replication_role = replica');
  for (const cell of world.cells) await fill(cell, cell === world.cells[0] ? rows : 20);
  await world.database.rows('set session_replication_role = origin');

  /** Returns the attempts of a cell, read as the administrator, to whom row-level security does not apply. */
  async function attemptsOf({ merchantId, environment }: Cell): Promise<Attempt[]> {
    const times = ['instant', 'started_at', 'ended_at', 'submitted_at', 'decided_at'];
    const read = await world.database.rows<{ row: Record<string, unknown> }>(
      `select to_jsonb(a) || jsonb_build_object('interview', i, 'template', t, 'position', p, 'recruiter', r.name) as row
       from report_attempt a join interview i on i.id = a.interview_id
       join interview_template t on t.id = i.interview_template_id left join position p on p.id = a.position_id
       left join profile r on r.id = coalesce(p.recruiter_profile_id, i.recruiter_profile_id)
       where a.merchant_id = $1 and a.environment = $2`,
      [merchantId, environment],
    );
    return read.map(
      ({ row }) =>
        ({
          ...row,
          ...Object.fromEntries(
            times.map((key) => [key, typeof row[key] === 'string' ? Date.parse(row[key]) : null]),
          ),
        }) as Attempt,
    );
  }
  return { ...world, attemptsOf };
}
export type ReportWorld = Awaited<ReturnType<typeof createReportWorld>>;

/** Copies one attempt that meets the condition. The copy belongs to a new result and has the values in `more`. */
export async function copyAttempt(
  { database }: Pick<ReportWorld, 'database'>,
  { merchantId, environment }: Cell,
  condition: string,
  more: Record<string, unknown>,
): Promise<void> {
  const [found] = await database.rows<{ row: Record<string, unknown> }>(
    `select to_jsonb(a) - 'outcome' - 'is_undecided' as row from report_attempt a
     where merchant_id = $1 and environment = $2 and ${condition} limit 1`,
    [merchantId, environment],
  );
  if (!found) return;
  const { text, values } = insertOf('report_attempt', { ...found.row, result_id: uuid(), ...more });
  await database.rows(text, values);
}
