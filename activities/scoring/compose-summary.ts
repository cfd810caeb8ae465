import { languageTexts } from '../../api/platform/text/language-texts';
import { isPractice, type LanguageCode } from '../../db/platform/vocabulary';
import { uniqueBy } from './findings';
import type { Finding, ShownFinding } from './findings';
import { foldText } from './fold';
import { isUnfitForSummary, findListedWords, toSentencePart } from './left-out';
import type { KnowledgeBaseContradiction, NextStep, RankedFindings, SummaryTexts } from './types';

type Label = 'worked' | 'add' | 'shown' | 'weak_point' | 'gap' | 'contradicts';

/** The highest number of strengths, of concerns and of next steps. */
const maxClaims = 4;
/** Longer quotes are not repeated inside of sentences. They stay visible as evidence. */
const maxQuoteCharacters = 400;

/**
 * Writes the texts about a result. Each sentence consists of the words of a criterion, its quote and a label in the
 * language of the interview, so it can say nothing that was neither asked for nor said. The model only ranks the
 * findings: its numbers are their places in the list, beginning with 1. Without a verified quote, only learners
 * read something: what to add.
 */
export function composeSummary(
  findings: readonly Finding[],
  { order = [], key_statement: key = null }: Partial<RankedFindings>,
  {
    type,
    language,
    previous_steps,
  }: { type: string; language: LanguageCode; previous_steps: readonly string[] },
): SummaryTexts | null {
  const hasQuote = findings.some(({ kind }) => kind !== 'gap');
  if (!hasQuote && !(isPractice(type) && findings.length > 0)) return null;
  const ranked = rank(findings, order);
  const strengths = ranked.filter((one) => one.kind === 'strength');
  const weakPoints = ranked.filter((one) => one.kind === 'weak_point');
  const gaps = ranked.filter((one) => one.kind === 'gap');
  const write = writerFor(language);
  const claim = ({ passage }: ShownFinding, text: string) => ({ text, ...passage });
  const concerns = [
    ...weakPoints.map((one) => claim(one, toSentencePart(one.criterion))),
    ...gaps.map(({ criterion }) => ({ text: write.sentence('gap', criterion), quote: null })),
  ];
  const isInterview = type === 'interview' || type === 'persona_interview';
  const statement = key === null ? undefined : findings[key - 1];
  const nextStep = ({ bracket, criterion, passage }: Finding): NextStep => ({
    text: write.sentence('add', criterion),
    priority: bracket === 'strong' ? 'impact' : 'quick',
    guidance: { kind: 'structure', text: write.guidance },
    proof: passage ? [{ kind: 'quote', text: passage.quote, turn_id: passage.turn_id }] : [],
  });
  const steps = new Set(strengths.map(({ criterion }) => foldText(write.sentence('add', criterion))));
  return {
    strengths: strengths.slice(0, maxClaims).map((one) => claim(one, toSentencePart(one.criterion))),
    concerns: concerns.slice(0, maxClaims),
    key_statement: isInterview && statement?.kind === 'strength' ? statement.passage : null,
    takeaways: isPractice(type)
      ? {
          what_went_well: write.proven(strengths).slice(0, maxClaims),
          next_steps: gaps.slice(0, maxClaims).map(nextStep),
          fixed: previous_steps.filter((step) => steps.has(foldText(step))),
        }
      : null,
    candidate_analysis: feedback(strengths, gaps, language, 2),
    recruiter_analysis: hasQuote
      ? write.lines([
          ...labeled('shown', write.proven(strengths)).slice(0, 2),
          ...[
            ...labeled('weak_point', write.proven(weakPoints)),
            ...labeled(
              'gap',
              gaps.map(({ criterion }) => toSentencePart(criterion)),
            ),
          ].slice(0, 2),
        ])
      : null,
  };
}

/** Writes the feedback on an answer for the candidate: what went well, with quotes, and what to add. */
export const composeFeedback = (findings: readonly Finding[], language: LanguageCode): string | null =>
  feedback(
    findings.filter((one) => one.kind === 'strength'),
    findings.filter((one) => one.kind === 'gap'),
    language,
    1,
  );

/** Writes what the answers show, and returns the passages that prove it, in the same order. */
export function composeShownFindings(
  findings: readonly ShownFinding[],
  language: LanguageCode,
): { text: string | null; passages: ShownFinding['passage'][] } {
  const write = writerFor(language);
  const shown = write.provable(findings).slice(0, maxClaims);
  return {
    text: write.lines(labeled('shown', write.proven(shown))),
    passages: shown.map(({ passage }) => passage),
  };
}

/**
 * Writes what in answers contradicts a knowledge base, for the recruiter: each passage of an answer with the passage that it
 * contradicts, once if several answers say the same.
 */
export function composeContradictions(
  contradictions: readonly KnowledgeBaseContradiction[],
  language: LanguageCode,
): string | null {
  const { open, close } = languageTexts[language].summary;
  const quoted = (text: string): string => `${open}${toSentencePart(text)}${close}`;
  const shown = uniqueBy(contradictions, ({ quote, passage }) =>
    JSON.stringify([foldText(quote), foldText(passage)]),
  )
    .filter((one) => one.quote.length + one.passage.length <= 2 * maxQuoteCharacters)
    .filter((one) => !isUnfitForSummary(one.quote, language, findListedWords(one.passage, language)));
  return writerFor(language).lines(
    labeled(
      'contradicts',
      shown.map(({ quote, passage }) => `${quoted(quote)} – ${quoted(passage)}`),
    ),
  );
}

function feedback(
  strengths: readonly ShownFinding[],
  gaps: readonly Finding[],
  language: LanguageCode,
  maxGaps: number,
): string | null {
  const write = writerFor(language);
  return write.lines([
    ...labeled('worked', write.proven(strengths)).slice(0, 2),
    ...labeled(
      'add',
      gaps.map(({ criterion }) => toSentencePart(criterion)),
    ).slice(0, maxGaps),
  ]);
}

type Line = { label: Label; text: string };
const labeled = (label: Label, texts: readonly string[]): Line[] => texts.map((text) => ({ label, text }));

/** Sorts the findings as the model ranked them. Those that it did not name follow in their own order. */
function rank(findings: readonly Finding[], order: readonly number[]): Finding[] {
  const named = [...new Set(order)].flatMap((number) => findings[number - 1] ?? []);
  return [...named, ...findings.filter((finding) => !named.includes(finding))];
}

/** Returns the functions that write sentences in a language. */
function writerFor(language: LanguageCode) {
  const { open, close, stop, guidance, ...labels } = languageTexts[language].summary;
  const withQuote = ({ criterion, passage }: ShownFinding): string =>
    `${toSentencePart(criterion)} (${open}${toSentencePart(passage.quote)}${close})`;
  /** Returns the findings whose quotes can be shown. A quote is used once, and very long ones are left out. */
  const provable = (findings: readonly ShownFinding[]): ShownFinding[] =>
    uniqueBy(
      findings.filter(({ passage }) => passage.quote.length <= maxQuoteCharacters),
      ({ passage }) => passage.quote,
    );
  return {
    guidance,
    provable,
    sentence: (label: Label, criterion: string): string =>
      `${labels[label]}${toSentencePart(criterion)}${stop}`,
    /** Writes a line for each text. Of lines with the same label, only the first one shows it. */
    lines: (lines: readonly Line[]): string | null =>
      lines
        .map(({ label, text }, at) => `${lines[at - 1]?.label === label ? '' : labels[label]}${text}${stop}`)
        .join('\n') || null,
    /** Writes each finding that can be shown, with its quote. */
    proven: (findings: readonly ShownFinding[]): string[] => provable(findings).map(withQuote),
  };
}
