import type { Seniority } from './interview-brief';
import { german } from './phrases-de';
import { english } from './phrases-en';
import { spanish } from './phrases-es';
import { french } from './phrases-fr';
import { italian } from './phrases-it';
import { dutch } from './phrases-nl';
import { polish } from './phrases-pl';
import { portuguese } from './phrases-pt';

/**
 * The sentences of one language. Places: {job} the interview's name, {as} and {at} (may be empty) with their own
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
  /** By interview_type; a plain pre-screening has none. */
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
  /** Says that no model wrote this. */
  label: string;
};

const tables: Partial<Record<string, Phrases>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  br: portuguese,
  pl: polish,
};

/** The sentences of a language; without any, the English ones and a mark that names the language asked for. */
export function findPhrases({ code, name }: { code: string; name: string }): {
  phrases: Phrases;
  mark: string;
} {
  const table = tables[code.toLowerCase()];
  return table ? { phrases: table, mark: '' } : { phrases: english, mark: `[${name}] ` };
}
