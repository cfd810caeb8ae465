import type { OperationDeps } from '../../deps';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import type { ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewList } from '../job-interview-list';
import type { ListedInterview } from '../job-interview-list';
import { choiceField, lineField, textField, toEntered } from './field-forms';
import type { EnteredValues, FieldSpec } from './field-forms';
import { locationField, nameField, notificationField } from './interview-form-fields';
import type { InterviewDefinition } from './interview-form-fields';
import { optionsOf, keptStatusNames, visibilityNames } from './interview-words';

const { sub_item: _sub_item, ...positionVisibilities } = visibilityNames;

/** The controls of a new position. */
export const newPositionFields: readonly FieldSpec[] = [
  nameField,
  locationField,
  choiceField('status', 'Status', optionsOf(keptStatusNames)),
  choiceField(
    'visibility',
    'Who can find it',
    optionsOf(positionVisibilities),
    'Status and visibility of the position decide for all its steps.',
  ),
];

/** The controls of a position. Without `messages`, the deployment sends none. */
export const positionFieldsOf = ({ messages }: { messages: boolean }): readonly FieldSpec[] => [
  ...newPositionFields,
  lineField('interview_department', 'Department', 200),
  lineField('interview_salary', 'Salary', 200),
  lineField('interview_available_till', 'Available until', 40, 'A date such as 2026-12-31. Empty: no end.'),
  ...(messages ? [notificationField] : []),
  lineField('code', 'Your reference', 200),
  textField('description', 'Short description', 3, 5_000),
  textField('description_long', 'Long description', 8, 50_000, 'Markdown.'),
];

/** What the form of a new position shows first. */
export const newPositionDefaults: EnteredValues = { status: 'active', visibility: 'merchant_invite' };

/** Returns what the controls show of a stored position. */
export function enteredPosition(position: InterviewDefinition): EnteredValues {
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
export async function listPossibleSteps(
  deps: OperationDeps,
  visit: ConsoleVisit,
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
