import type { Seniority } from './interview-brief';

/**
 * The sentences of one language. Placeholders: {job} the interview's name, {as} and {at} (may be empty) with their own
 * leading space, {level}, {location}, {topic}. Every frame has {topic}, so that frames × topics are distinct.
 */
export type Phrases = {
  quote: string;
  at: string;
  forClient: string;
  asHiring: string;
  asPractice: string;
  levels: Record<Seniority, string>;
  openings: { hiring: string; practice: string; assessment: string };
  frames: string[];
  topics: string[];
  levelTopics: { starting: string[]; experienced: string[]; leading: string[] };
  /** By interview_type. A plain pre-screening has none. */
  kindTopics: Partial<Record<string, string>>;
  department: string;
  /** Five for each bracket. */
  rubric: { weak: string[]; moderate: string[]; strong: string[] };
  /** Two sentences each. */
  descriptionHiring: string;
  descriptionPractice: string;
  long: {
    headings: { purpose: string; responsibilities: string; required: string; preferred: string };
    lines: { responsibility: string; required: string; preferred: string };
  };
  /** States that no model wrote this. */
  label: string;
};
