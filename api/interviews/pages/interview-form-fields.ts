import type { z } from 'zod';
import { playsPersona } from '../../../db/interviews/persona';
import type { OperationDeps } from '../../deps';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import type { Option } from '../../platform/site/form';
import type { ConsoleVisit } from '../../platform/site/visitor';
import type { interviewDefinition } from '../interview-definition';
import { interviewTemplateList } from '../interview-template-list';
import { knowledgeBaseList } from '../knowledge-base-list';
import {
  checkboxField,
  choiceField,
  lineField,
  linesField,
  linesOf,
  numberField,
  textField,
  toEntered,
} from './field-forms';
import type { EnteredValues, FieldSpec } from './field-forms';
import {
  introductionNames,
  kindNames,
  languageNames,
  notificationNames,
  optionsOf,
  recordingNames,
  sessionRecordingNames,
  resultViewNames,
  seniorityNames,
  speedNames,
  statusNames,
  templateName,
  toneNames,
  typeNames,
  visibilityNames,
} from './interview-words';

export type InterviewDefinition = z.output<typeof interviewDefinition>;
/** What can be chosen for an interview: templates, knowledge bases, and whether the deployment sends messages. */
export type Choices = { templates: Option[]; knowledgeBases: Option[]; messages: boolean };
/** Is enough to read what was entered, which needs only the names of the controls. */
export const noChoices: Choices = { templates: [], knowledgeBases: [], messages: false };

/** Reads what can be chosen for an interview. */
export async function readChoices(deps: OperationDeps, visit: ConsoleVisit): Promise<Choices> {
  const [templates, knowledgeBases] = await Promise.all([
    callOperation(deps, visit, interviewTemplateList, { limit: '100' }).then(replyOf),
    readKnowledgeBases(deps, visit),
  ]);
  return {
    templates: templates.data
      .filter(({ usable }) => usable)
      .map(({ id, name, type }) => ({ value: id, label: templateName(type) ?? name })),
    knowledgeBases,
    messages: deps.messages,
  };
}

/** Reads which knowledge bases can be chosen. */
export async function readKnowledgeBases(deps: OperationDeps, visit: ConsoleVisit): Promise<Option[]> {
  const listed = await callOperation(deps, visit, knowledgeBaseList, { status: 'active', limit: '200' });
  return replyOf(listed).data.map(({ id, name }) => ({ value: id, label: name }));
}

/** Adds a first option that stands for no value. */
export const withNone = (options: readonly Option[], label = 'None') => [{ value: '', label }, ...options];

/** The controls that interviews and positions have. */
export const nameField: FieldSpec = { kind: 'line', name: 'name', label: 'Name', max: 200, isRequired: true };
export const locationField: FieldSpec = {
  kind: 'line',
  name: 'location',
  label: 'Location',
  hint: 'Where the job is: a place, or Remote.',
  max: 200,
  isRequired: true,
};
const expectations = textField('candidate_expectations', 'What a good candidate shows', 3, 10_000);
const visibility = choiceField('visibility', 'Who can find it', optionsOf(visibilityNames));
/** Interviews and positions have it. */
export const notificationField = choiceField(
  'candidate_notification_channel',
  'SMS or WhatsApp messages',
  withNone(optionsOf(notificationNames)),
  'In addition to mails, to candidates with a valid phone number.',
);
const template = ({ templates }: Choices) => choiceField('interview_template_id', 'Template', templates);
const knowledgeBase = ({ knowledgeBases }: Choices) =>
  choiceField('knowledge_base_store_id', 'Knowledge base', withNone(knowledgeBases));
const maxDuration = (hint?: string) =>
  numberField('max_duration', 'Maximum duration (seconds)', [120, 7_200], hint);

/** The controls that both forms for a new interview have. */
const newFields = (choices: Choices): FieldSpec[] => [
  nameField,
  locationField,
  choiceField('type', 'Type', optionsOf(typeNames)),
  template(choices),
  choiceField(
    'platform_language_code',
    'Language',
    optionsOf(languageNames),
    'Everything is written in this language. It can’t be changed later.',
  ),
  visibility,
  choiceField('status', 'Status', optionsOf({ active: statusNames.active, draft: statusNames.draft })),
  choiceField('seniority_level', 'Seniority', withNone(optionsOf(seniorityNames), 'Derived from the texts')),
];

/** The controls of an interview whose questions the AI writes. */
export const draftedQuestionsFields = (choices: Choices): FieldSpec[] => [
  ...newFields(choices),
  choiceField('interview_type', 'Purpose of the questions', optionsOf(kindNames)),
  numberField('interview_length', 'Number of questions', [1, 40], 'Leave empty to let the AI choose 5 to 8.'),
  maxDuration('There is at most one question for every 120 seconds.'),
  choiceField('interview_tone', 'Tone', optionsOf(toneNames)),
  expectations,
  textField('notes', 'Additional context', 4, 18_000, 'Anything else that the AI should know about the job.'),
  knowledgeBase(choices),
];

/** The controls of an interview with given questions. */
export const givenQuestionsFields = (choices: Choices): FieldSpec[] => [
  ...newFields(choices),
  textField('description', 'Description for candidates', 3, 5_000),
  linesField(
    'questions',
    'Questions',
    8,
    'One per line, in the order they are asked. The AI writes a rubric for each.',
  ),
  expectations,
];

/** What the forms for a new interview show first. */
export const newInterviewDefaults = ({ templates }: Choices): EnteredValues => ({
  type: 'interview',
  interview_template_id: templates[0]?.value ?? '',
  platform_language_code: 'en',
  visibility: 'merchant_invite',
  status: 'active',
  interview_type: 'pre-screening',
  max_duration: '1200',
  interview_tone: 'relaxed',
});

/** The controls of a rubric, of a question or of the session. `who` shows it: answers or candidates. */
export const rubricFields = (who: string): FieldSpec[] => [
  linesField('strong', `Strong ${who} show`, 3),
  linesField('moderate', `Moderate ${who} show`, 3),
  linesField('weak', `Weak ${who} show`, 3),
];

export const isRubricField = (name: string): boolean => ['strong', 'moderate', 'weak'].includes(name);

/** Returns the rubric that was entered, or null if all its controls are empty. */
export function rubricOf(
  entered: EnteredValues,
): { strong: string[]; moderate: string[]; weak: string[] } | null {
  const items = (bracket: string) => linesOf(entered[bracket] ?? '');
  const rubric = { strong: items('strong'), moderate: items('moderate'), weak: items('weak') };
  return Object.values(rubric).flat().length > 0 ? rubric : null;
}

/** Returns what the controls of a stored rubric show. */
export function enteredRubric(rubric: unknown): EnteredValues {
  const { strong, moderate, weak } = (rubric ?? {}) as Partial<Record<string, unknown>>;
  return { strong: toEntered(strong), moderate: toEntered(moderate), weak: toEntered(weak) };
}

/** The controls of the person whom the AI plays. Their names are those that errors of the operations have. */
export const personaFields: FieldSpec[] = [
  lineField('persona.name', 'Name', 1_000),
  lineField('persona.role', 'Role', 1_000, 'Who the person is, such as: buyer at a retail chain.'),
  textField('persona.situation', 'Situation', 3, 1_000, 'What both sides know when the conversation begins.'),
  textField('persona.goal', 'Goal', 2, 1_000, 'What the person wants. Only the AI knows it.'),
  textField('persona.mood', 'Mood', 2, 1_000, 'How the person feels and speaks. Only the AI knows it.'),
  textField('persona.opening_line', 'Opening line', 2, 1_000, 'The first thing that the person says.'),
];

/** Gathers the parts of the person from their controls, if the type has one and a part was entered. */
export function gatherPersona(input: Record<string, unknown>, type: unknown): Record<string, unknown> {
  const isPart = (name: string) => personaFields.some((field) => field.name === name);
  const parts = Object.entries(input).filter(([name]) => isPart(name));
  const isEntered = playsPersona(type) && parts.some(([, value]) => value !== null);
  return {
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !isPart(name))),
    ...(isEntered
      ? { persona: Object.fromEntries(parts.map(([name, value]) => [name.replace('persona.', ''), value])) }
      : {}),
  };
}

type Section = { title: string; fields: FieldSpec[] };

/** The settings of an interview, in sections. */
export const settingsSections = (choices: Choices, definition: InterviewDefinition): Section[] => [
  {
    title: 'Job',
    fields: [
      nameField,
      locationField,
      lineField('interview_department', 'Department', 200),
      lineField('interview_salary', 'Salary', 200),
      textField('description', 'Description for candidates', 3, 5_000),
      textField('description_long', 'Long description', 8, 50_000, 'Markdown.'),
      lineField('cover_image_url', 'Picture', 2_048, 'An https address.'),
      lineField('code', 'Your reference', 200),
      linesField('tags', 'Tags', 2),
      visibility,
      lineField(
        'interview_available_till',
        'Available until',
        40,
        'A date such as 2026-03-31, whose whole day counts in UTC. Leave empty for no end.',
      ),
      ...(choices.messages ? [notificationField] : []),
    ],
  },
  ...(playsPersona(definition.type) ? [{ title: 'Person whom the AI plays', fields: personaFields }] : []),
  {
    title: 'Conversation',
    fields: [
      template(choices),
      knowledgeBase(choices),
      expectations,
      choiceField('interview_tone', 'Tone of follow-ups', optionsOf(toneNames)),
      // A person whom the AI plays opens with a line of the own.
      ...(playsPersona(definition.type)
        ? []
        : [textField('welcome_message', 'Welcome', 3, 5_000, 'Leave empty for the standard text.')]),
      ...(definition.instructional_video_custom_text === null
        ? []
        : [textField('instructional_video_custom_text', 'Text of the instructional video', 3, 5_000)]),
      textField('thank_you_message', 'Thank-you', 3, 5_000, 'Leave empty for the standard text.'),
      maxDuration(),
      numberField('max_followups', 'Follow-ups per question', [0, 999]),
      choiceField(
        'interview_conversation_speed',
        'Speed of speech',
        withNone(optionsOf(speedNames), 'As the template'),
      ),
      numberField(
        'questions_random_subset',
        'Share of the questions that is asked',
        [0.01, 0.9],
        '0.01 to 0.9, chosen at random. Leave empty to ask all of them.',
      ),
      numberField('interview_attempts', 'Attempts per candidate', [1, 20]),
      choiceField('recording', 'Recording of answers', withNone(optionsOf(recordingNames))),
      choiceField(
        'recording_full_session',
        'Recording of the session',
        withNone(optionsOf(sessionRecordingNames)),
      ),
      choiceField('candidate_video_introduction', 'Video introduction', optionsOf(introductionNames)),
    ],
  },
  {
    title: 'Scoring and results',
    fields: [
      ...rubricFields('candidates'),
      checkboxField('required_pronunciation', 'Measure how well speech recognition understands the answers'),
      choiceField('result_view', 'What candidates see afterwards', optionsOf(resultViewNames)),
      checkboxField(
        'result_enable_edit_transcript',
        'Candidates can correct their answers before they submit',
      ),
      textField('next_step_text', 'What happens next', 2, 2_000),
      numberField('answer_within_days', 'Answer promised within (days)', [1, 365]),
    ],
  },
];

/** Returns what the settings form shows for a stored interview. */
export function enteredSettings(
  fields: readonly FieldSpec[],
  definition: InterviewDefinition,
): EnteredValues {
  const scoring = definition.result_scoring as { max_retries?: number } | null;
  const tone = definition.interview_tone?.toLowerCase() ?? '';
  const stored: Record<string, unknown> = {
    ...definition,
    location: definition.interview_location,
    description_long: definition.interview_description_long,
    interview_attempts: scoring?.max_retries,
    interview_tone: tone in toneNames ? tone : definition.interview_tone,
    ...Object.fromEntries(
      Object.entries(definition.persona ?? {}).map(([part, value]) => [`persona.${part}`, value]),
    ),
  };
  return {
    ...Object.fromEntries(fields.map((field) => [field.name, toEntered(stored[field.name])])),
    ...enteredRubric(definition.candidate_expectations_json),
  };
}
