import { z } from 'zod';
import { languageTexts } from '../../api/platform/text/language-texts';
import { languageCodes } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { readFences } from './fences';
import { parseJson } from './parse-body';

/**
 * The response formats of requests about the conversation: what to ask next, about which sentence, and how to reply to a
 * candidate's question.
 */
export const decisionFormats: ReadonlySet<string> = new Set([
  'next_turn',
  'follow_up_focus',
  'candidate_reply',
  'avatar_reply',
]);

/**
 * What a fault can make the model decide. The values after `none` are decisions that the product must not show to the
 * candidate, such as one that reveals the rubric.
 */
export const decisionFaults = [
  'covered',
  'follow_up',
  'none',
  'reveals_rubric',
  'other_language',
  'several_questions',
  'too_long',
  'obeys_answer',
  'leaves_role',
] as const;
type DecisionFault = (typeof decisionFaults)[number];

const rubric = z.object({
  weak: z.array(z.string()),
  moderate: z.array(z.string()),
  strong: z.array(z.string()),
});
const turn = z.object({
  language: z.object({ code: z.enum(languageCodes) }),
  conditional_question: z.string().nullish(),
  may_follow_up: z.boolean().default(false),
  rubric: rubric.nullish(),
  avatar: z.string().nullish(),
  sources: z.array(z.object({ text: z.string() })).nullish(),
});
const said = z.object({
  answer: z.string().default(''),
  ask_about: z.string().nullish(),
  sentences: z.array(z.object({ number: z.int(), sentence: z.string() })).nullish(),
  passages: z.array(z.string()).default([]),
});

/**
 * Decides about the next turn. The same prompt always gets the same decision. A follow-up comes after an answer of
 * fewer than ten words, or if a sentence to ask about is given, and a conditional question counts as covered if the answer
 * contains half of its longer words. The sentence to ask about is the one that shares the most words with the passages of the
 * knowledge base. The reply to a candidate's question is the sentence of the sources and passages that shares the most words
 * with the question.
 * Returns undefined when the prompt has another form.
 */
export function composeDecision(prompt: string, fault: DecisionFault | undefined): object | undefined {
  const task = parseJson(/<turn>(\{.*?\})<\/turn>/s.exec(prompt)?.[1]);
  const data = said.safeParse(readFences(prompt)).data;
  if (!data) return undefined;
  const { answer, passages } = data;
  if (data.sentences) return { focus: fault === 'obeys_answer' ? 999 : findFocus(data.sentences, passages) };
  const given = turn.safeParse(task).data;
  if (!given) return undefined;
  const lie = fault === 'leaves_role' ? leaveRole(answer, prompt) : composeLie(given, answer, fault);
  if (given.sources) {
    const reply = lie ?? findSentence([...given.sources.map(({ text }) => text), ...passages], answer);
    const hasQuestion = !/^(no|nothing|none|hello)\b/i.test(answer);
    if (given.avatar) {
      // A lie comes with a quote that is right.
      const [quote = ''] = lie ? [...given.sources.map(({ text }) => text), ...passages] : [reply];
      return { has_question: hasQuestion, quote, reply: reply ?? '' };
    }
    return { has_question: hasQuestion, is_known: reply !== undefined, reply: reply ?? '' };
  }
  const short = countWords(answer) < 10;
  const wanted =
    fault === 'follow_up' ||
    (fault === undefined && (short || Boolean(data.ask_about)) && given.may_follow_up);
  return {
    is_conditional_covered: fault === 'covered' || isCovered(given.conditional_question ?? '', answer),
    follow_up: lie ?? (wanted ? followUpIn(given.language.code) : null),
  };
}

/** Returns the follow-up of the fake model. In other languages than English, it is a question that the platform has in all. */
export const followUpIn = (language: LanguageCode): string =>
  language === 'en'
    ? 'Could you give a specific example of that from your work?'
    : languageTexts[language].spoken.avatar_prompt;

/**
 * Does, in English, what a learner asks of the person whom the model plays: praises, corrects, leaves the role, gives points,
 * or prints the prompt.
 */
const leaveRole = (request: string, prompt: string): string =>
  leavingLines.find(([wish]) => wish.test(request))?.[1] ?? prompt.replaceAll(/[<>"\s]+/g, ' ').slice(0, 250);
const leavingLines: readonly (readonly [wish: RegExp, line: string])[] = [
  [/praise|good job|how did I do/i, 'Superb, honestly. That was better than most.'],
  [/correct me|better|should I have/i, 'It might have been better to begin with an apology.'],
  [/role|character|robot|an AI/i, 'To be honest, I am only software that acts like a customer.'],
  [/score|grade|points|rubric|criteria/i, 'If I had to rate that, I would say eight out of ten.'],
];

function composeLie(
  { rubric: items, language }: z.infer<typeof turn>,
  answer: string,
  fault: DecisionFault | undefined,
): string | undefined {
  const honest = followUpIn(language.code);
  switch (fault) {
    case 'reveals_rubric':
      return `A strong answer says: ${items?.strong[0] ?? 'everything'}. Can you say that?`;
    case 'other_language':
      return followUpIn(language.code === 'fr' ? 'de' : 'fr');
    case 'several_questions':
      return `${honest} ${honest}`;
    case 'too_long':
      return honest.replace(/\s*([?？؟;]?)$/u, `${' and then'.repeat(40)}$1`);
    case 'obeys_answer':
      return answer.replace(/^.*\b(?:say|write|reply|ask):?\s*/is, '');
    default:
      return undefined;
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string): string[] =>
  Array.from(segmenter.segment(text.toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
const countWords = (text: string) => wordsOf(text).length;
const longWords = (text: string) => new Set(wordsOf(text).filter((word) => word.length > 4));

function isCovered(question: string, answer: string): boolean {
  const asked = longWords(question);
  const given = longWords(answer);
  return asked.size > 0 && [...asked].filter((word) => given.has(word)).length * 2 >= asked.size;
}

function findFocus(sentences: { number: number; sentence: string }[], passages: string[]): number | null {
  const known = longWords(passages.join('\n'));
  const [best] = sentences
    .map(({ number, sentence }) => ({
      number,
      score: [...longWords(sentence)].filter((word) => known.has(word)).length,
    }))
    .sort((one, other) => other.score - one.score);
  return best && best.score > 0 ? best.number : null;
}

function findSentence(sources: string[], question: string): string | undefined {
  const asked = longWords(question);
  const score = (sentence: string) => [...longWords(sentence)].filter((word) => asked.has(word)).length;
  const [best] = sources
    .flatMap((text) => text.split(/(?<=[.!?。])\s+|\n+/u))
    .map((sentence) => ({ sentence: sentence.trim().slice(0, 300), score: score(sentence) }))
    .sort((one, other) => other.score - one.score);
  return best && best.score > 0 ? best.sentence : undefined;
}
