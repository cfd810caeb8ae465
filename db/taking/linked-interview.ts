import type { JobContent, Recordings } from '../catalogue/public';
import type { Statement } from '../platform/statement';
import type { LanguageCode, TemplateType } from '../platform/vocabulary';
import type { ShownPersona } from './attempts';

/**
 * What the page of a candidate's link shows. For a candidate of a position, `interview_name`, `status` and
 * `interview_available_till` are those of the position.
 */
export type LinkedInterview = {
  merchant_name: string;
  accent_color: string | null;
  /** The path of the merchant's logo in the object store. */
  logo_path: string | null;
  candidate_name: string | null;
  link_generation: number;
  interview_name: string;
  status: string;
  interview_available_till: string | null;
  platform_language_code: LanguageCode;
  /** How long an attempt of this candidate may take, in seconds. */
  max_seconds: number;
  /** Follow-ups and conditional questions are not counted. */
  question_count: number;
  /** The labels of the scored questions. Null if no scored question has a label. */
  topics: string[] | null;
  /** True if the interview is interactive, so that its questions are spoken. */
  is_spoken: boolean;
  /** The devices that the interview needs: `audio` is the microphone, `video` the camera too. */
  recording: 'audio' | 'video' | null;
  /** What is recorded in the next attempt. `may_type`: the candidate may type answers that have to be videos. */
  recordings: Recordings & { may_type: boolean };
  /** The `recording_full_session` of the running or else of the next attempt. */
  session_recording: string | null;
  /** What is assessed in addition to what the answers say. */
  assessed: ('pronunciation' | 'sentiment' | 'cadence')[];
  /** Whom the candidate talks to, or null if the AI plays nobody. */
  persona: ShownPersona | null;
  template_type: TemplateType | null;
  result_view: string;
  /** True if the candidate can change answers before the submit. */
  can_edit: boolean;
  /** True if no attempt has begun yet, or if another attempt may follow the one that has ended. */
  can_begin: boolean;
  /** True for a session that a learner practices. */
  is_practice: boolean;
  /** False if the merchant has too few coaching credits for an attempt. True for interviews that need none. */
  has_practice_left: boolean;
  /** How many days the merchant keeps recordings (`recording_days`), and answers with their scores (`result_days`). */
  recording_days: number;
  result_days: number;
};

/** What the page of a link shows about the job, or about the session of the catalogue if `is_job` is false. */
export type LinkedJob = JobContent & { is_job: boolean };

/** Returns the job or session of a link, in the scope of that link. */
export const findLinkedJob: Statement<LinkedJob> = {
  name: 'find_linked_job',
  text: 'select * from app.link_job()',
};

/** Returns the interview of a link, in the scope of that link. */
export const findLinkedInterview: Statement<LinkedInterview> = {
  name: 'find_linked_interview',
  text: `
    select p.*, app.session_recording() as session_recording, app.link_recordings() as recordings, app.link_persona() as persona,
      app.link_template() as template_type,
      app.link_is_practice() as is_practice,
      app.link_has_practice_left() as has_practice_left, m.accent_color, m.logo_path
    from app.link_page() p cross join merchant m where m.id = app.merchant_id()`,
};
