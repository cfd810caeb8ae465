import type { LanguageCode } from '../db/platform/vocabulary';
import type { Spoken } from './live-voice';

/* What is said in the conversations of `bench:live-talks`. */

export type Answer = {
  says: Spoken[];
  /** Interrupts the question after so many milliseconds of it. */
  interruptsAfterMs?: number;
};
export type Talk = {
  name: string;
  voice: string;
  language: LanguageCode;
  interview: Record<string, unknown>;
  questions: string[];
  answers: Answer[];
};
const persona = {
  name: 'Grace Okafor',
  role: 'Head of purchasing',
  situation: 'A hotel chain may buy 200 licenses.',
  goal: 'a discount of 30 percent',
  mood: 'stubborn',
  opening_line: 'I have your offer here, and it is too expensive.',
};
export const twoQuestions = ['What did you build last year?', 'What would you do in another way today?'];
export const talks: Talk[] = [
  {
    name: 'interview',
    voice: 'en-us',
    language: 'en',
    interview: { type: 'interview' },
    questions: twoQuestions,
    answers: [
      { says: ['I built a bridge over the river for the people of the town.'] },
      { says: ['I would begin with the people who have to cross it each day.'] },
    ],
  },
  {
    name: 'persona',
    voice: 'en-us',
    language: 'en',
    interview: { type: 'persona_interview', persona, max_followups: 1 },
    questions: ['Your competitor is cheaper.'],
    answers: [
      { says: ['I know that it costs more.'] },
      { says: ['It saves your people an hour each day and that is worth more than the price of it.'] },
      { says: ['They do not answer at night and we always do that for all of our customers.'] },
    ],
  },
  {
    name: 'public avatar',
    voice: 'en-us',
    language: 'en',
    interview: { type: 'public_avatar', description: 'The canteen serves vegetarian dishes on Fridays.' },
    questions: [],
    answers: [
      { says: ['Does the canteen serve vegetarian dishes?'] },
      { says: ['Who is the boss of the whole company?'] },
    ],
  },
  {
    name: 'barge-in and pause',
    voice: 'en-us',
    language: 'en',
    interview: { type: 'interview' },
    questions: twoQuestions,
    answers: [
      { says: ['I led a team of six and', 3_000, 'we moved every order to a new system in a week.'] },
      { says: ['I would ask all of our customers before we begin to build.'], interruptsAfterMs: 1_200 },
    ],
  },
  {
    name: 'Arabic',
    voice: 'ar',
    language: 'ar',
    interview: { type: 'interview', platform_language_code: 'ar' },
    questions: ['ماذا بنيت في العام الماضي؟', 'ماذا كنت ستفعل بشكل مختلف اليوم؟'],
    answers: [
      { says: ['بنيت جسرا فوق النهر لأهل المدينة.'] },
      { says: ['كنت سأبدأ بالناس الذين يعبرونه كل يوم.'] },
    ],
  },
];

/** Returns the words of an answer. */
export const wordsOf = ({ says }: Answer): string =>
  says.filter((part) => typeof part === 'string').join(' ');
