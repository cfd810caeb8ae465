import { hashText } from './hash-text';
import { seniorities, type InterviewBrief, type Seniority } from './interview-brief';

type Rubric = { weak: string[]; moderate: string[]; strong: string[] };
type Draft = {
  description: string;
  description_long: string;
  seniority_level: Seniority;
  candidate_expectations: Rubric;
  questions: { question: string; candidate_expectations: Rubric }[];
};

/**
 * Fills templates with an interview's brief. The same brief always gives the same draft. All sentences are in English;
 * they begin with the name of the language if another one was requested.
 */
export function composeDraft(brief: InterviewBrief, questionCount?: number): Draft {
  const { language, company, name } = brief;
  const mark = language.code === 'en' ? '' : `[${language.name}] `;
  const given = brief.given_questions ?? [];
  const seed = hashText(name);
  const count = questionCount ?? (given.length || (brief.question_count ?? 5 + (seed % 4)));
  const itemCount = brief.enhanced_expectations ? 5 : 3 + (seed % 2);
  const topics = topicsOf(brief);
  const topicOf = (index: number) => topics[index % topics.length] ?? name;
  const at = company?.name && !company.undisclosed ? ` at ${company.name.trim()}` : '';
  const description = `${mark}This interview is for ${name}${at} (${brief.location?.trim() || '–'}). It asks about ${topicOf(0)} and ${topicOf(1)}.`;
  const rubricOf = (topic: string): Rubric => {
    const write = (starts: string[]) => starts.slice(0, itemCount).map((start) => `${mark}${start} ${topic}`);
    return { weak: write(rubric.weak), moderate: write(rubric.moderate), strong: write(rubric.strong) };
  };
  return {
    description,
    description_long: ['Purpose', 'Responsibilities', 'Required qualifications', 'Preferred qualifications']
      .map((heading, index) => `## ${heading}\n\n${index === 0 ? description : `- ${topicOf(index)}`}\n\n`)
      .join('')
      .concat('This text was composed by the local fake and not written by a model.'),
    seniority_level:
      brief.seniority_level ??
      seniorities.find((level) => name.toLowerCase().includes(level)) ??
      'intermediate',
    candidate_expectations: rubricOf(topicOf(0)),
    questions: Array.from({ length: count }, (_, index) => {
      const topic = topicOf(index);
      const own = `${mark}Question ${index + 1} for ${name}${at}: what is your experience with ${topic}?`;
      return { question: given[index] ?? own, candidate_expectations: rubricOf(topic) };
    }),
  };
}

/** How the items of a rubric begin. */
const rubric = {
  weak: [
    'Names',
    'Describes own tasks related to',
    'Mentions one situation that involved',
    'Shows interest in',
    'Uses basic terms of',
  ],
  moderate: [
    'Gives a concrete example of',
    'Explains the own part in',
    'States reasons for a choice about',
    'Names a result that followed from',
    'Points out a risk of',
  ],
  strong: [
    'Backs with numbers or feedback the result of',
    'Weighs several alternatives for',
    'Draws a lesson from',
    'Transfers to this role the experience with',
    'Coaches others in',
  ],
};

/** Returns the topics of a draft: first those that the brief asks for, shortened, then others. */
function topicsOf({ candidate_expectations: expected, department }: InterviewBrief): string[] {
  const asked = (expected ?? '')
    .split(/[\n;,•.!?]+/u)
    .map((part) =>
      part
        .replace(/^[\s*–-]+/u, '')
        .trim()
        .slice(0, 80),
    )
    .filter((part) => part.length > 2);
  const own = department?.trim() ? [`the work of the ${department.trim()} department`] : [];
  return [...new Set([...asked.slice(0, 12), ...own, 'planning', 'quality', 'teamwork', 'customers'])];
}
