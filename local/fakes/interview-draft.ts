import { hashText } from './hash-text';
import { deriveSeniority, type InterviewBrief, type Seniority } from './interview-brief';
import { phrases } from './phrases';

type Rubric = { weak: string[]; moderate: string[]; strong: string[] };
type Draft = {
  description: string;
  description_long: string;
  seniority_level: Seniority;
  candidate_expectations: Rubric;
  questions: { question: string; candidate_expectations: Rubric }[];
};

/**
 * The values from which the sentences of a draft are composed. `mark` names the requested language, unless the
 * language is English.
 */
type Setting = {
  mark: string;
  seed: number;
  topics: string[];
  values: Record<string, string>;
};

/** Composes the draft of an interview from its brief. The same brief always gives the same draft. */
export function composeDraft(brief: InterviewBrief, questionCount?: number): Draft {
  const { code, name } = brief.language;
  const mark = code === 'en' ? '' : `[${name}] `;
  const seniority = brief.seniority_level ?? deriveSeniority(brief.name);
  const seed = hashText(brief.name);
  const topics = chooseTopics(brief, seniority, seed);
  const setting = { mark, seed, topics, values: nameValues(brief, seniority) };
  const given = brief.given_questions ?? [];
  const count = questionCount ?? (given.length > 0 ? given.length : (brief.question_count ?? 5 + (seed % 4)));
  const itemCount = brief.enhanced_expectations ? 5 : 3 + (seed % 2);
  const asked = [
    ...given.slice(0, count).map((question) => ({ question, topic: quote(question) })),
    ...composeQuestions(brief, setting, Math.max(0, count - given.length), new Set(given)),
  ];
  return {
    description: describe(brief, setting),
    description_long: describeLong(brief, setting),
    seniority_level: seniority,
    candidate_expectations: composeRubric(topics[0] ?? brief.name, itemCount, setting),
    questions: asked.map(({ question, topic }) => ({
      question,
      candidate_expectations: composeRubric(topic, itemCount, setting),
    })),
  };
}

/** True for coaching and personas. All other types of interviews are about hiring. */
function isPractice({ type }: InterviewBrief): boolean {
  return type === 'coaching' || type === 'persona' || type === 'public_avatar';
}

function nameValues(brief: InterviewBrief, seniority: Seniority): Record<string, string> {
  const { company, name: job } = brief;
  const companyName = company?.name?.trim();
  const unnamed = company?.undisclosed || companyName?.toLowerCase() === 'undisclosed';
  const at = unnamed ? phrases.forClient : companyName ? fill(phrases.at, { company: companyName }) : '';
  const as = fill(isPractice(brief) ? phrases.asPractice : phrases.asHiring, { job });
  return { job, at, as, level: phrases.levels[seniority], location: brief.location?.trim() || '–' };
}

/**
 * Returns the topics of a draft: first those that the brief asks for, then those that follow from its kind,
 * department and level, then topics that fit any interview.
 */
function chooseTopics(brief: InterviewBrief, seniority: Seniority, seed: number): string[] {
  const expected = (brief.candidate_expectations ?? '')
    .split(/[\n;,•]+|[.!?](?=\s|$)/u)
    .map((part) => part.replace(/^[\s*–-]+/u, '').trim())
    .filter((part) => part.length > 2);
  const context = Object.values(brief.additional_context ?? {}).filter((value) => typeof value === 'string');
  const { starting, experienced, leading } = phrases.levelTopics;
  const byLevel =
    seniority === 'entry-level'
      ? starting
      : seniority === 'intermediate' || seniority === 'senior'
        ? experienced
        : leading;
  const department = brief.department?.trim();
  const kind = new Map(Object.entries(phrases.kindTopics)).get(brief.interview_type ?? '');
  const turn = seed % phrases.topics.length;
  const topics = [
    ...[...expected.slice(0, 12), ...context.slice(0, 3)].map((part) => quote(part)),
    ...(kind ? [kind] : []),
    ...(department ? [fill(phrases.department, { department })] : []),
    ...byLevel,
    ...phrases.topics.slice(turn),
    ...phrases.topics.slice(0, turn),
  ];
  const seen = new Set<string>();
  return topics.filter((topic) => !seen.has(topic.toLowerCase()) && seen.add(topic.toLowerCase()));
}

/**
 * Adds the opening question for the interview's type, then combinations of frames (sentences with a gap) and topics.
 * Neighboring questions differ in both, and no combination repeats before all are used.
 */
function composeQuestions(brief: InterviewBrief, setting: Setting, count: number, taken: Set<string>) {
  const { mark, seed, topics, values } = setting;
  const { frames, openings } = phrases;
  const opening = brief.type === 'assessment' ? 'assessment' : isPractice(brief) ? 'practice' : 'hiring';
  const questions: { question: string; topic: string }[] = [];
  const add = (template: string, topic: string, ending = '') => {
    const question = mark + fill(template, { ...values, topic }) + ending;
    if (taken.has(question) || questions.length >= count) return;
    taken.add(question);
    questions.push({ question, topic });
  };
  add(openings[opening], topics[0] ?? brief.name);
  for (let pair = 0; questions.length < count; pair += 1) {
    const row = Math.floor(pair / frames.length);
    const column = pair % frames.length;
    const again = Math.floor(row / topics.length);
    const frame = frames[(column + seed) % frames.length] ?? '{topic}';
    add(frame, topics[(column + row + 1) % topics.length] ?? brief.name, again > 0 ? ` (${again + 1})` : '');
  }
  return questions;
}

function composeRubric(topic: string, itemCount: number, { mark, values }: Setting): Rubric {
  const write = (templates: string[]) =>
    templates.slice(0, itemCount).map((template) => mark + fill(template, { ...values, topic }));
  const { weak, moderate, strong } = phrases.rubric;
  return { weak: write(weak), moderate: write(moderate), strong: write(strong) };
}

function describe(brief: InterviewBrief, { mark, topics, values }: Setting): string {
  const template = isPractice(brief) ? phrases.descriptionPractice : phrases.descriptionHiring;
  return mark + fill(template, { ...values, topic: topics[0] ?? '', second: topics[1] ?? '' });
}

function describeLong(brief: InterviewBrief, setting: Setting): string {
  const { topics, values } = setting;
  const { headings, lines } = phrases.long;
  const listTopics = (template: string, from: number, to: number) =>
    topics.slice(from, to).map((topic) => `- ${fill(template, { ...values, topic })}`);
  return [
    `## ${headings.purpose}`,
    describe(brief, setting),
    `## ${headings.responsibilities}`,
    listTopics(lines.responsibility, 0, 4).join('\n'),
    `## ${headings.required}`,
    listTopics(lines.required, 0, 3).join('\n'),
    `## ${headings.preferred}`,
    listTopics(lines.preferred, 3, 6).join('\n'),
    phrases.label,
  ].join('\n\n');
}

/** Quotes words of the merchant in a sentence: in quotation marks, on one line, and shortened at the end of a word. */
function quote(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  const cut = line.length <= 80 ? line : `${line.slice(0, 80).replace(/\s+\S*$/, '')}…`;
  return fill(phrases.quote, { words: cut.replace(/[.?!]+$/, '') });
}

/** Replaces all placeholders in one pass, so that braces inside a value stay as they are. */
function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
}
