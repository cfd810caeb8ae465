import type { OperationDeps } from '../../deps';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import type { Visit } from '../../platform/site/visitor';
import { jobInterviewList } from '../job-interview-list';
import type { ListedInterview } from '../job-interview-list';
import { choice, line, text, toEntered } from './field-forms';
import type { Entered, FieldSpec } from './field-forms';
import { location, name, notifications } from './interview-form-fields';
import type { InterviewDefinition } from './interview-form-fields';
import { optionsOf, keptStatusNames, visibilityNames } from './interview-words';

const { sub_item: _sub_item, ...positionVisibilities } = visibilityNames;

/** The controls of a new position. */
export const newPositionFields: readonly FieldSpec[] = [
  name,
  location,
  choice('status', 'Status', optionsOf(keptStatusNames)),
  choice(
    'visibility',
    'Who can find it',
    optionsOf(positionVisibilities),
    'Status and visibility of the position decide for all its steps.',
  ),
];

/** The controls of a position. Without `messages`, the deployment sends none. */
export const positionFieldsOf = ({ messages }: { messages: boolean }): readonly FieldSpec[] => [
  ...newPositionFields,
  line('interview_department', 'Department', 200),
  line('interview_salary', 'Salary', 200),
  line('interview_available_till', 'Available until', 40, 'A date such as 2026-12-31. Empty: no end.'),
  ...(messages ? [notifications] : []),
  line('code', 'Your reference', 200),
  text('description', 'Short description', 3, 5_000),
  text('description_long', 'Long description', 8, 50_000, 'Markdown.'),
];

/** What the form of a new position shows first. */
export const newPosition: Entered = { status: 'active', visibility: 'merchant_invite' };

/** Returns what the controls show of a stored position. */
export function enteredPosition(position: InterviewDefinition): Entered {
  const values: Record<string, unknown> = {
    ...position,
    location: position.interview_location,
    description_long: position.interview_description_long,
  };
  return Object.fromEntries(
    positionFieldsOf({ messages: true }).map(({ name }) => [name, toEntered(values[name])]),
  );
}

/** The types of interviews for candidates. The others are for learners and visitors. */
const hiringTypes: ReadonlySet<string> = new Set(['interview', 'assessment', 'persona_interview']);

/** Returns the interviews that can become steps, out of the newest `limit` whose name or reference contains the text. */
export async function readFreeInterviews(
  deps: OperationDeps,
  visit: Visit,
  { text: wanted = '', limit }: { text?: string | undefined; limit: number },
): Promise<ListedInterview[]> {
  const { data } = replyOf(
    await callOperation(deps, visit, jobInterviewList, {
      is_multistage: 'false',
      filter_text: wanted,
      limit: String(limit),
    }),
  );
  return data.filter(
    ({ position_id, status, type }) =>
      position_id === null && status !== 'archived' && type !== null && hiringTypes.has(type),
  );
}
