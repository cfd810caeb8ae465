import type { Statement } from '../platform/statement';
import type { LanguageCode, recordings, videoIntroductions } from '../platform/vocabulary';
import type { PortalFacts } from './portal-catalogue';
import { portalFacts } from './portal-catalogue';

export type JobCard = {
  slug: string;
  name: string;
  /** Null if the company must not be named. */
  company: string | null;
  location: string;
  department: string | null;
  description: string | null;
  cover_image_url: string | null;
};

/** Lists the open jobs of the portal, the newest first (docs/catalogue.md#jobs). */
export const listJobs = (limit: number, offset: number): Statement<JobCard> => ({
  name: 'list_jobs',
  text: 'select * from app.list_jobs($1, $2)',
  values: [limit, offset],
});

/** What people read about a job. `company` is null if the company must not be named. */
export type JobContent = {
  name: string;
  location: string;
  department: string | null;
  salary: string | null;
  cover_image_url: string | null;
  /** Plain text. */
  description: string | null;
  /** Markdown. */
  description_long: string | null;
  company: string | null;
};

type Recording = (typeof recordings)[number];

/** What an interview records of an attempt. */
export type Recordings = {
  recording: Recording | null;
  recording_full_session: Recording | null;
  introduction: (typeof videoIntroductions)[number];
  /** False if all its questions are multiple choices. */
  has_spoken: boolean;
  /** True if candidates may add a résumé. */
  asks_resume: boolean;
};

export type JobPage = PortalFacts &
  JobContent & {
    id: string;
    /** True if lists show the job. */
    is_listed: boolean;
    /** `over` if its end has passed, `closed` if it takes no applications for another reason. */
    outcome: 'open' | 'closed' | 'over';
    language: LanguageCode;
    available_till: string | null;
    created_at: string;
    /** The number of interviews, which is 1 unless the job is a position. */
    step_count: number;
    max_seconds: number;
    question_count: number;
    /** What each of its interviews records. */
    recordings: Recordings[];
    /** The verified portal domain of the merchant. */
    portal_domain: string | null;
  };

/** Finds the page of the job with this slug, in a visit to that page. */
export const findJobPage = (slug: string): Statement<JobPage> => ({
  name: 'find_job_page',
  text: `select ${portalFacts}, m.portal_domain, j.*, app.job_recordings($1) as recordings from merchant m cross join lateral app.job_page($1) j`,
  values: [slug],
});

type Application = {
  slug: string;
  name: string;
  email: string;
  email_key: string;
  consent_version: string;
  /** Null for the language of the job. */
  consent_language: LanguageCode | null;
};
/** `enrolled` if the person is new to the job. The person must not learn the difference to `sent`. */
export type ApplicationOutcome = 'enrolled' | 'sent' | 'missing' | 'closed' | 'over' | 'full';

/** Enrols a person who applies for a job, and queues the mail with the link (sql/jobs.sql). */
export const applyForJob = (
  { slug, name, email, email_key, consent_version, consent_language }: Application,
  maxMails: number,
): Statement<{ outcome: ApplicationOutcome }> => ({
  name: 'apply_for_job',
  text: 'select app.apply_for_job($1, $2, $3, $4, $5, $6, $7) as outcome',
  values: [slug, name, email, email_key, consent_version, consent_language, maxMails],
});
