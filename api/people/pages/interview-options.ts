import { listInterviewNames, listPositionNames } from '../../../db/interviews/public';
import type { ConsoleDeps, Visit } from '../../platform/site/visitor';

const limit = 200;

/** Returns the newest interviews and positions as options of a form, and the chosen one if it is not among them. */
export async function interviewOptions(deps: ConsoleDeps, visit: Visit, chosen: string | undefined) {
  const [positions, interviews] = await Promise.all([
    deps.database.query(visit.caller(), listPositionNames(limit)),
    deps.database.query(visit.caller(), listInterviewNames(limit)),
  ]);
  const options = [
    ...positions.map(({ id, name }) => ({ value: id, label: `${name} (position)` })),
    ...interviews.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const isOther = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return isOther ? [...options, { value: chosen, label: chosen }] : options;
}
