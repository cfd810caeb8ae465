import { jobInterviewGet, jobInterviewList } from '../../interviews/public';
import { callOperation } from '../../platform/site/call-operation';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';

const limit = 200;

/**
 * Returns the newest interviews and positions as options of a form, and the chosen one even if it is older. If `isOpen` is
 * set, only those that take candidates.
 */
export async function interviewOptions(
  deps: ConsoleDeps,
  visit: ConsoleVisit,
  chosen: string | undefined,
  { isOpen = false }: { isOpen?: boolean } = {},
) {
  const [listed, own] = await Promise.all([
    callOperation(deps, visit, jobInterviewList, { limit: String(limit) }),
    chosen === undefined ? undefined : callOperation(deps, visit, jobInterviewGet, { position_id: chosen }),
  ]);
  const options = (listed.reply?.data ?? []).flatMap(({ id, name, is_multistage, position_id, status }) =>
    isOpen && (position_id !== null || status === 'archived' || status === 'completed')
      ? []
      : [{ value: id, label: is_multistage ? `${name} (position)` : name }],
  );
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: own?.reply?.name ?? chosen }];
}
