import { people, knowledgeBases } from '../../../local/seed/accounts';
import { rubric } from './definitions';

/* Values for the fields of job-interview-update, and how job-interview-get returns them. */

/**
 * A field of job-interview-update and a new value for it. `shown` is set if the field has another name in
 * job-interview-get, and `expected` is set if job-interview-get returns another value than the one that was sent.
 */
type Row = [field: string, value: unknown, shown?: string, expected?: unknown];
export const voice = '0198a000-0000-7000-8000-000000000006';
export const shared: Row[] = [
  ['status', 'draft'],
  ['visibility', 'public'],
  ['name', 'Frontend engineer'],
  ['code', 'REF-1'],
  ['location', ' Ghent ', 'interview_location', 'Ghent'],
  ['cover_image_url', 'https://images.example/a.png'],
  ['description', 'Another text.'],
  ['description_long', '## Another', 'interview_description_long'],
  ['interview_department', 'Sales'],
  ['interview_salary', '€ 50.000'],
  ['interview_available_till', '2999-12-31'],
  ['interview_available_till', '2999-12-31T10:00:00+02:00', undefined, '2999-12-31T08:00:00.000Z'],
  ['recruiter_profile_id', people.merchant.id],
];
export const interviewOnly: Row[] = [
  ['interview_template_id', voice],
  ['knowledge_base_store_id', knowledgeBases[0]?.id],
  ['recording', 'video_all'],
  ['recording_full_session', 'audio_all'],
  ['result_view', 'full'],
  ['candidate_video_introduction', 'required'],
  ['candidate_expectations', 'Team play'],
  ['candidate_expectations_json', { ...rubric, weak: ['says little'] }],
  ['tags', ['a', 'b']],
  ['coach_plan', '2nd'],
  ['interview_conversation_speed', 'slower'],
  ['max_followups', 3],
  ['max_duration', 240],
  ['questions_random_subset', 0.5],
  ['required_pronunciation', true],
  ['result_enable_edit_transcript', false],
  ['pdf_export_auto_config', { transcript: true }],
  ['next_step_text', ' We call you.\nSoon. ', undefined, 'We call you.\nSoon.'],
  ['answer_within_days', 10],
];
export const nullable = [
  'code',
  'cover_image_url',
  'description',
  'description_long',
  'interview_department',
  'interview_salary',
  'interview_available_till',
  'recruiter_profile_id',
  'knowledge_base_store_id',
  'recording',
  'recording_full_session',
  'candidate_expectations',
  'candidate_expectations_json',
  'tags',
  'coach_plan',
  'interview_conversation_speed',
  'max_followups',
  'max_duration',
  'questions_random_subset',
  'pdf_export_auto_config',
  'next_step_text',
  'answer_within_days',
];
export const wireName = (field: string) =>
  ({ location: 'interview_location', description_long: 'interview_description_long' })[field] ?? field;
