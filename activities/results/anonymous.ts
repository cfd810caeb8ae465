import type { ResultToPrint } from './result-to-print';

/**
 * Returns a result without what identifies its candidate: name, contact details, reference, résumé and recordings. `word` stands
 * for them in texts, and `word` with the end of the result's id is the name of the candidate. Scores, texts and decisions
 * stay.
 */
export function anonymize(result: ResultToPrint, word: string): ResultToPrint {
  const { candidate } = result;
  const personal = candidate ? patternOf(candidate) : emailAddress;
  const redact = (text: string): string => text.replace(personal, word);
  const redactOrNull = (text: string | null): string | null => text && redact(text);
  /** Redacts all strings in stored JSON. Offsets of quotes would be wrong afterwards, so quotes are searched for instead. */
  const redactAll = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(redactAll);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => key !== 'start' && key !== 'end');
    return Object.fromEntries(kept.map(([key, each]) => [key, redactAll(each)]));
  };
  return {
    ...result,
    candidate: { name: `${word} ${result.result_id.slice(-8)}`, email: null, phone: null, external_id: null },
    ai_analysis_recruiter: redactOrNull(result.ai_analysis_recruiter),
    ai_analysis_other: redactAll(result.ai_analysis_other),
    recruiter_risks: redactAll(result.recruiter_risks),
    user_feedback_recruiter: redactOrNull(result.user_feedback_recruiter),
    decisions: result.decisions.map((each) => ({ ...each, reason: redact(each.reason) })),
    recording_local_path: null,
    video_introduction_local_path: null,
    resume_name: null,
    transcript: result.transcript.map((turn) => ({
      ...turn,
      question_original: redactOrNull(turn.question_original),
      question_asked: redactOrNull(turn.question_asked),
      answer: redactOrNull(turn.answer),
      ai_analysis_recruiter: redactOrNull(turn.ai_analysis_recruiter),
      answer_assessment_raw_data: redactAll(turn.answer_assessment_raw_data),
      recording_local_path: null,
    })),
  };
}

const emailAddress = /[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]{1,255}/gu;
const maxWords = 10;

/** Matches any email address, and the name, phone number and reference of this candidate. */
function patternOf({ name, phone, external_id }: NonNullable<ResultToPrint['candidate']>): RegExp {
  const words = (name ?? '')
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);
  const digits = (phone ?? '').replaceAll(/\D/g, '').slice(-8);
  const patterns = [
    emailAddress.source,
    ...inOneRow(words),
    ...(digits.length >= 6 ? [`\\+?[\\d ()./-]{0,10}${Array.from(digits).join('[ ()./-]{0,2}')}`] : []),
    ...(external_id && external_id.length >= 4 ? [whole(escape(external_id))] : []),
    ...words.flatMap(formsOf),
  ];
  return new RegExp(patterns.join('|'), 'gu');
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
const whole = (pattern: string): string =>
  String.raw`(?<![\p{L}\p{M}\p{N}])(?:${pattern})(?![\p{L}\p{M}\p{N}])`;
/** Matches a text in capital and small letters. */
const anyCase = (text: string): string =>
  Array.from(text, (letter) =>
    letter.toLowerCase() === letter.toUpperCase()
      ? escape(letter)
      : `(?:${escape(letter.toLowerCase())}|${escape(letter.toUpperCase())})`,
  ).join('');

const withoutAccents = (word: string): string =>
  /\p{Script=Latin}/u.test(word) ? word.normalize('NFD').replaceAll(/\p{M}/gu, '') : word;

/** Matches the whole name, forwards or backwards, also as in `ann.lind`. */
const inOneRow = (words: string[]): string[] =>
  words.length < 2
    ? []
    : [words, words.map(withoutAccents)].flatMap((forms) =>
        [forms, forms.toReversed()].map((row) => whole(row.map(anyCase).join(String.raw`[\s\p{P}]{0,3}`))),
      );

const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+$/u;

/**
 * Matches a word of the name. It has to begin with a capital letter, because many names are also words: "Will" is
 * replaced, "will" is not. In scripts without spaces, the word is found anywhere, and so are its halves, because
 * family names and given names are written together.
 */
function formsOf(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length < 2) return [];
  if (unspaced.test(word))
    return [
      word,
      ...(letters.length > 2 ? [letters.slice(0, 2).join(''), letters.slice(-2).join('')] : []),
    ].map(escape);
  const forms = [word, withoutAccents(word)].flatMap((form) => [
    form.replace(/^./u, (first) => first.toUpperCase()),
    form.toLowerCase().replace(/^./u, (first) => first.toUpperCase()),
    form.toUpperCase(),
  ]);
  return [whole([...new Set(forms)].map(escape).join('|'))];
}
