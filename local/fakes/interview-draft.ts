import { z } from 'zod';
import { readFences } from './fences';
import { hashText } from './hash-text';
import { seniorities, type InterviewBrief, type Seniority } from './interview-brief';

type Persona = Required<NonNullable<InterviewBrief['given_persona']>>;
type Rubric<Item> = { weak: Item[]; moderate: Item[]; strong: Item[] };
type Draft<Item = string> = {
  description: string;
  description_long: string;
  seniority_level: Seniority;
  candidate_expectations: Rubric<Item>;
  questions: {
    question: string;
    candidate_expectations: Rubric<Item>;
    choice?: { right: string; wrong: string[] } | null;
  }[];
  persona?: Persona;
};

/** What the prompt says about the questions: how they begin, with "…" for a topic, and the topics, if it names some. */
type Instruction = { forms: string[]; topics: string[] };
const noInstruction: Instruction = { forms: ['what is your experience with …?'], topics: [] };

/** Reads the instruction for the questions. The topics of a process are its steps in the knowledge base, in their order. */
export function readInstruction(system: string, user: string): Instruction {
  const [, instruction = ''] = /^- The (?:open )?questions are about (.*?)(?=^- )/ms.exec(system) ?? [];
  const forms = Array.from(instruction.matchAll(/"([^"]*…[^"]*)"/g), ([, form = '']) =>
    form.replaceAll(/\s+/g, ' '),
  );
  const { data } = z.object({ passages: z.array(z.string()) }).safeParse(readFences(user));
  const steps = /step/.test(instruction) ? (data?.passages ?? []).join('\n').split(/\n|(?<=[.!?])\s/) : [];
  return {
    forms: forms.length > 0 ? forms : noInstruction.forms,
    topics: steps.map((step) => step.trim().slice(0, 80)).filter(Boolean),
  };
}

/** Writes a draft in the form that the brief asks for: items with examples, multiple choices. */
export function composeReply(
  brief: InterviewBrief,
  instruction: Instruction,
  questionCount?: number,
): unknown {
  const draft = composeDraft(brief, { instruction, ...(questionCount && { questionCount }) });
  if (!brief.enhanced_expectations) return draft;
  const explain = ({ weak, moderate, strong }: Rubric<string>) => {
    const all = (items: string[]) =>
      items.map((shows) => ({ shows, example: `for example, it ${shows.toLowerCase()}` }));
    return { weak: all(weak), moderate: all(moderate), strong: all(strong) };
  };
  const questions = draft.questions.map((question) => ({
    ...question,
    candidate_expectations: explain(question.candidate_expectations),
  }));
  return { ...draft, candidate_expectations: explain(draft.candidate_expectations), questions };
}

/**
 * Fills templates with an interview's brief. The same brief always gives the same draft. All sentences are in English;
 * they begin with the name of the language if another one was requested.
 */
export function composeDraft(
  brief: InterviewBrief,
  { instruction = noInstruction, questionCount }: { instruction?: Instruction; questionCount?: number } = {},
): Draft {
  const { language, company, name } = brief;
  const mark = language.code === 'en' ? '' : `[${language.name}] `;
  const given = brief.given_questions ?? [];
  const seed = hashText(name);
  const count = questionCount ?? (given.length || (brief.question_count ?? 5 + (seed % 4)));
  const itemCount = brief.enhanced_expectations ? 5 : 3 + (seed % 2);
  const topics = instruction.topics.length > 0 ? instruction.topics : topicsOf(brief);
  const topicOf = (index: number) => topics[index % topics.length] ?? name;
  const at = company?.name && !company.undisclosed ? ` at ${company.name.trim()}` : '';
  const description = `${mark}This interview is for ${name}${at} (${brief.location?.trim() || '–'}). It asks about ${topicOf(0)} and ${topicOf(1)}.`;
  const rubricOf = (topic: string): Rubric<string> => {
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
      const form = instruction.forms[index % instruction.forms.length] ?? '';
      const own = brief.given_persona
        ? `${mark}${form.replace('…', topic)} I have heard nothing convincing yet (${index + 1}).`
        : `${mark}Question ${index + 1} for ${name}${at}: ${form.replace('…', topic)}`;
      const question = given[index] ?? own;
      if (!brief.wants_choices) return { question, candidate_expectations: rubricOf(topic) };
      // Every third question is open, beginning with the second.
      if (index % 3 === 1) return { question, candidate_expectations: rubricOf(topic), choice: null };
      const [right = '', ...wrong] = options.map((option) => `${mark}${option} ${topic}`);
      const none: Rubric<string> = { weak: [], moderate: [], strong: [] };
      return { question, candidate_expectations: none, choice: { right, wrong } };
    }),
    ...(brief.given_persona ? { persona: { ...composePersona(name, mark), ...brief.given_persona } } : {}),
  };
}

const composePersona = (name: string, mark: string): Persona => ({
  name: 'Robin Falk',
  role: `${mark}the other side of ${name}`,
  situation: `${mark}Robin Falk has asked for this conversation about ${name} and has little time.`,
  goal: `${mark}leave with a promise that can be checked`,
  mood: `${mark}polite and impatient`,
  opening_line: `${mark}Good morning, I am Robin Falk. I hope that you have something concrete for me today.`,
});

/** How the options of a multiple choice begin. The first one is right. */
const options = ['Measure', 'Ignore', 'Postpone', 'Delegate without a word'];

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
