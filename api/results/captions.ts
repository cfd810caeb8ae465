import type { ResultDetails } from './result-words';

type Spoken = ResultDetails['transcript'][number];
/** A text and how long it takes to speak, in milliseconds. */
type Said = { text: string; ms: number };

/** The maximum number of characters of a caption, which fill two lines in a player. */
const maxCharacters = 84;
/** The assumed time per character of a text without a known duration, in milliseconds: 150 words a minute. */
const msPerCharacter = 70;

/**
 * Returns WebVTT captions of a recording: of one answer, or of the session if `part` is undefined. The transcript
 * does not say when each word was spoken, so the time is divided in proportion to the length of the text. Returns
 * undefined if nothing was said.
 */
export function writeCaptions(result: ResultDetails, part: Spoken | undefined): string | undefined {
  const said = part === undefined ? sessionOf(result) : answerOf(part, part.duration);
  return said.length === 0 ? undefined : `WEBVTT\n\n${cuesOf(said).join('\n\n')}\n`;
}

/** True if `writeCaptions` returns captions. */
export const hasCaptions = (result: ResultDetails, part: Spoken | undefined): boolean =>
  (part === undefined ? sessionOf(result) : answerOf(part, null)).length > 0;

function sessionOf({ transcript, duration }: ResultDetails): Said[] {
  const said = transcript.flatMap((part) => [
    ...textOf(part.question_asked ?? part.question_original),
    ...textOf(part.answer),
  ]);
  const characters = said.reduce((sum, text) => sum + text.length, 0);
  const ms = duration === null ? msPerCharacter : (duration * 100) / characters;
  return said.map((text) => ({ text, ms: text.length * ms }));
}

const answerOf = ({ answer }: Spoken, duration: number | null): Said[] =>
  textOf(answer).map((text) => ({
    text,
    ms: duration === null ? text.length * msPerCharacter : duration * 100,
  }));

const textOf = (text: string | null): string[] => {
  const oneLine = text?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return oneLine === '' ? [] : [oneLine];
};

function cuesOf(said: readonly Said[]): string[] {
  let at = 0;
  return said.flatMap(({ text, ms }) =>
    chunksOf(text).map((chunk) => {
      const from = at;
      at += (chunk.length / text.length) * ms;
      return `${clock(from)} --> ${clock(at)}\n${escape(chunk)}`;
    }),
  );
}

/** Divides a text after spaces, or anywhere if a word is too long or the script has no spaces. */
const chunksOf = (text: string): string[] =>
  text.match(new RegExp(`.{1,${maxCharacters}}(?:\\s|$)|.{1,${maxCharacters}}`, 'gsu')) ?? [];

const escape = (text: string): string =>
  text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const clock = (ms: number): string => {
  const whole = Math.round(ms);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1_000) % 60)}.${String(whole % 1_000).padStart(3, '0')}`;
};
