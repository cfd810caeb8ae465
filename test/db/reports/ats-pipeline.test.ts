import { stages } from '../../../db/platform/vocabulary';
import type { CheckedBlock } from '../../../db/reports/checked-report';
import { compileBlock } from '../../../db/reports/compile-block';
import type { Grain } from '../../../db/reports/dataset';
import { createWorld, putRow, uuid } from '../platform/world';
import type { World } from '../platform/world';
import { seededRandom } from './random';
import { blockOf, datasetOf, dimension, filtersOf, shown } from './report-world';

/* Compares ats_pipeline with an evaluation in memory, over candidates with random stages. */

const dataset = datasetOf('ats_pipeline');

type Place = { department: string | null; location: string; owner: string | null; isDeleted: boolean };
type Entry = Record<string, string | boolean | null> & { stage: string; entered_at: string };

const random = seededRandom(30);
let world: World;
/** The rows that the dataset must have, and the rows that it must leave out. */
let entries: Entry[];
const left: string[] = [];
beforeAll(async () => {
  world = await createWorld();
  const [cell] = world.cells;
  await world.database.rows('delete from enrolment_stage');
  await world.database.rows(`update profile set name = 'Robin' where id = $1`, [cell.taken.person]);
  const insert = (table: string, row: Record<string, unknown>) => putRow(world.database, table, cell, row);
  const makePlace = async (table: 'interview' | 'position', name: string) => {
    const id = uuid();
    const place: Place = {
      department: random.pick([null, 'Sales', 'IT']),
      location: random.pick(['Utrecht', 'Rome']),
      owner: random.pick([null, 'Robin']),
      isDeleted: name.endsWith('3'),
    };
    await insert(table, {
      id,
      name,
      status: place.isDeleted ? 'deleted' : 'active',
      interview_department: place.department,
      interview_location: place.location,
      recruiter_profile_id: place.owner && cell.taken.person,
    });
    return { id, name, ...place };
  };
  const numbers = [1, 2, 3];
  const interviews = await Promise.all(
    numbers.map((number) => makePlace('interview', `Interview ${number}`)),
  );
  const positions = await Promise.all(numbers.map((number) => makePlace('position', `Position ${number}`)));
  entries = [];
  for (let each = 0; each < 80; each++) {
    const interview = random.pick(interviews);
    const position = random.pick([undefined, ...positions]);
    const place = position ?? interview;
    const source = random.pick(['registered', 'invited', 'embed', 'public']);
    const id = uuid();
    await insert('enrolment', {
      id,
      interview_id: interview.id,
      position_id: position?.id ?? null,
      email_key: id,
      source,
    });
    let day = Date.parse('2026-01-05T12:00:00Z');
    const count = random.below(4);
    for (let at = 0; at < count; at++) {
      const stage = random.pick(stages);
      const entered_at = new Date(day).toISOString();
      // The months from March to June have no entries.
      day += (random.chance(0.2) ? 180 : random.below(20)) * 86_400_000 + 3_600_000;
      const is_present = at === count - 1 && random.chance(0.8);
      await insert('enrolment_stage', {
        enrolment_id: id,
        stage,
        entered_at,
        left_at: is_present ? null : new Date(day).toISOString(),
      });
      if (place.isDeleted) left.push(id);
      else
        entries.push({
          stage,
          entered_at,
          is_present,
          interview_id: interview.id,
          position_id: position?.id ?? null,
          source,
          department: position?.department ?? interview.department,
          interview_name: interview.name,
          position_name: position?.name ?? null,
          location: place.location,
          owner: position?.owner ?? interview.owner,
        });
    }
  }
});

const count = (rows: readonly Entry[], ...those: string[]) =>
  rows.filter(({ is_present, stage }) => is_present && (those.length === 0 || those.includes(stage))).length;
const share = (of: number, by: number) => (by === 0 ? null : of / by);
const evaluators: Record<string, (rows: readonly Entry[]) => number | null> = {
  candidates: (rows) => count(rows),
  entered: (rows) => rows.length,
  hired: (rows) => count(rows, 'Hired'),
  rejected: (rows) => count(rows, 'Rejected'),
  offers_declined: (rows) => count(rows, 'Offer declined'),
  hire_rate: (rows) => share(count(rows, 'Hired'), count(rows)),
  offer_acceptance_rate: (rows) => share(count(rows, 'Hired'), count(rows, 'Hired', 'Offer declined')),
};
const run = (block: CheckedBlock) =>
  world.api.read(world.cells[0].user, (trx) => trx.rows(compileBlock(block, filtersOf()).rows));

describe('ats_pipeline', () => {
  it.each([...dataset.dimensions.keys()])('has the measures of an evaluation in memory by %s', async (id) => {
    const grain: Grain | null = id === 'entered_at' ? 'month' : null;
    const measures = Object.keys(evaluators);
    const rows = await run(
      blockOf({
        dataset,
        dimensions: [{ field: dimension(id, dataset), grain }],
        measures: measures.map((each) => shown(each, [], dataset)),
      }),
    );
    const valueOf = (entry: Entry) =>
      grain === null ? (entry[id] ?? null) : `${entry.entered_at.slice(0, 7)}-01`;
    const groups = new Set(entries.map(valueOf));
    expect(left.length).toBeGreaterThan(0);
    expect(groups.size).toBeGreaterThan(1);
    expect(rows).toHaveLength(groups.size);
    for (const row of rows) {
      const group = entries.filter((entry) => valueOf(entry) === row.c1);
      expect([row.c1, ...measures.map((_, at) => row[`c${at + 2}`] ?? null)]).toEqual([
        row.c1,
        ...measures.map((each) => evaluators[each]?.(group) ?? null),
      ]);
    }
    expect([...Object.keys(evaluators), 'avg_days_in_stage']).toEqual([...dataset.measures.keys()]);
  });

  it('has the mean of the days since candidates entered their present stages', async () => {
    const mean = () => {
      const since = entries
        .filter(({ is_present }) => is_present)
        .map(({ entered_at }) => Date.parse(entered_at));
      return since.reduce((sum, at) => sum + (Date.now() - at), 0) / since.length / 86_400_000;
    };
    const before = mean();
    const [row] = await run(blockOf({ dataset, measures: [shown('avg_days_in_stage', [], dataset)] }));
    // The clocks of Postgres and of this process are the same, but times of Postgres have microseconds.
    expect(Number(row?.c1)).toBeGreaterThan(before - 0.001);
    expect(Number(row?.c1)).toBeLessThan(mean() + 0.001);
  });

  it('has every month from the first to the last in a line, and the order of the stages in a table', async () => {
    const months = await run(
      blockOf({
        type: 'line',
        dataset,
        dimensions: [{ field: dimension('entered_at', dataset), grain: 'month' }],
        measures: [shown('entered', [], dataset)],
      }),
    );
    const firstAndLast = entries.map(({ entered_at }) => entered_at.slice(0, 7)).toSorted();
    const number = (month = '') => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
    expect(months).toHaveLength(number(firstAndLast.at(-1)) - number(firstAndLast[0]) + 1);
    expect(months.map(({ c2 }) => c2)).toContain(0);
    const table = await run(
      blockOf({
        type: 'table',
        dataset,
        dimensions: [{ field: dimension('stage', dataset), grain: null }],
        measures: [shown('candidates', [], dataset)],
        sort: [{ column: 'stage', dir: 'asc' }],
      }),
    );
    const order = table.map(({ c1 }) => stages.findIndex((stage) => stage === c1));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });
});
