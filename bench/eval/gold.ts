import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { languageCodes } from '../../db/platform/vocabulary';

const items = z.array(z.string().min(1)).min(1);
const question = z.strictObject({
  id: z.string(),
  question: z.string(),
  rubric: z.strictObject({ weak: items, moderate: items, strong: items }),
});
const kinds = ['plain', 'verbose', 'terse', 'off-topic', 'parroting', 'another', 'short', 'empty'] as const;
const goldCase = z.strictObject({
  id: z.string(),
  question: z.string(),
  kind: z.enum(kinds),
  /**
   * The bracket that a careful person would give by the formula in docs/scoring.md. `none` means insufficient
   * evidence.
   */
  expect: z.enum(['none', 'weak', 'moderate', 'strong']),
  answer: z.string().optional(),
  /** The id of a case of another question. Its answer is used as the answer of this case. */
  answer_of: z.string().optional(),
});
const goldFile = z.strictObject({
  language: z.enum(languageCodes),
  questions: z.array(question),
  cases: z.array(goldCase),
});
const instructionFile = z.strictObject({
  instructions: z.array(
    z.strictObject({
      id: z.string(),
      of: z.string(),
      place: z.enum(['before', 'after', 'inside']),
      text: z.string(),
    }),
  ),
  honest: items,
});

const paraphraseFile = z.strictObject({
  paraphrases: z.array(
    z.strictObject({ of: z.string(), claims: z.record(z.string().regex(/^[ms]\d$/), z.string()) }),
  ),
  honest: items,
});

export type GoldCase = Omit<z.infer<typeof goldCase>, 'answer' | 'answer_of' | 'question'> & {
  language: LanguageCode;
  question: string;
  rubric: z.infer<typeof question>['rubric'];
  answer: string;
};
/** An answer into which an instruction to the assessor was inserted. `base` is the case without the instruction. */
export type Injection = { id: string; base: GoldCase; text: string; answer: string };
/** An answer that repeats criteria in other words. `claims` has the sentence for each criterion that it repeats. */
export type Paraphrase = { base: GoldCase; claims: Record<string, string>; answer: string };

const folder = path
  .resolve(__dirname, '../../bench/eval/gold')
  .replace(`${path.sep}dist${path.sep}`, path.sep);
const readYaml = (file: string): unknown => parse(readFileSync(path.join(folder, file), 'utf8'));

/**
 * Reads the gold set. Throws if a file does not have the expected form, or names a question or case that does not
 * exist.
 */
export function readGold(): {
  cases: GoldCase[];
  injections: Injection[];
  paraphrases: Paraphrase[];
  honest: { instructions: string[]; paraphrases: string[] };
} {
  const files = readdirSync(folder).filter((file) => /^[a-z]{2,3}\.yaml$/.test(file));
  const sets = files.map((file) => goldFile.parse(readYaml(file)));
  const answers = new Map(sets.flatMap(({ cases }) => cases.map(({ id, answer }) => [id, answer])));
  const cases = sets.flatMap(({ language, questions, cases: listed }) =>
    listed.map(({ question: asked, answer, answer_of: other, ...rest }): GoldCase => {
      const { question: text, rubric } = must(
        questions.find(({ id }) => id === asked),
        asked,
      );
      return {
        ...rest,
        language,
        question: text,
        rubric,
        answer: must(answer ?? answers.get(other ?? ''), rest.id),
      };
    }),
  );
  const caseOf = (id: string): GoldCase =>
    must(
      cases.find((one) => one.id === id),
      id,
    );
  const { instructions, honest } = instructionFile.parse(readYaml('instructions.yaml'));
  const injections = instructions.map(({ id, of, place, text }): Injection => {
    const base = caseOf(of);
    return { id, base, text, answer: insert(base.answer, place, text) };
  });
  const { paraphrases: listed, honest: told } = paraphraseFile.parse(readYaml('paraphrases.yaml'));
  const paraphrases = listed.map(({ of, claims }): Paraphrase => {
    const base = caseOf(of);
    return { base, claims, answer: insert(base.answer, 'after', Object.values(claims).join(' ')) };
  });
  return { cases, injections, paraphrases, honest: { instructions: honest, paraphrases: told } };
}

function insert(answer: string, place: 'before' | 'after' | 'inside', text: string): string {
  if (place === 'inside') return answer.replace(/[.!?。]?$/u, '') + text;
  return (place === 'before' ? [text, answer] : [answer, text]).join(' ');
}

function must<Value>(value: Value | undefined, id: string): Value {
  if (value === undefined) throw new Error(`The gold set has no ${id}.`);
  return value;
}
