import { httpsUrl, uuid } from '../contracts/vocabulary';

export const tones = ['neutral', 'accent', 'success', 'warning', 'danger'] as const;
export type Tone = (typeof tones)[number];
const blocks = ['callout', 'cards', 'columns'] as const;
export type Block = (typeof blocks)[number];

/** What a line of a catalogue page's Markdown asks for (spec/platform-api.md, spec/decisions.md section 7). */
export type Directive =
  | { kind: 'plan_progress' }
  | { kind: 'directory'; id: string }
  | { kind: 'session'; id: string }
  /** Without a term: every session of the directory. */
  | { kind: 'sessions'; term: string | null; limit: number | null }
  | { kind: 'chip'; text: string; tone: Tone }
  | { kind: 'button'; text: string; url: string }
  | { kind: 'open'; block: Block; tone: Tone }
  | { kind: 'close'; block: Block };

/** Longer lines are text: an address has at most 2,048 characters. */
const mostCharacters = 4_000;
const mostTermCharacters = 200;
export const directoryId = /^[a-z0-9]+([-_][a-z0-9]+)*$/;

/** Reads a whole line without the white space around it; undefined for whatever is not a well-formed directive. */
export function readDirective(line: string): Directive | undefined {
  if (!line.startsWith('[') || !line.endsWith(']') || line.length > mostCharacters) return undefined;
  const [, slash, name = '', argument] = /^\[(\/?)([a-z-]+)(?::([^[\]]*))?\]$/.exec(line) ?? [];
  const block = blocks.find((each) => each === name);
  if (slash) return block && argument === undefined ? { kind: 'close', block } : undefined;
  return argument === undefined ? readWord(name) : readArgument(name, argument.trim());
}

function readWord(name: string): Directive | undefined {
  if (name === 'plan-progress') return { kind: 'plan_progress' };
  if (name === 'sessions') return { kind: 'sessions', term: null, limit: null };
  if (name === 'cards' || name === 'columns') return { kind: 'open', block: name, tone: 'neutral' };
  return undefined;
}

function readArgument(name: string, argument: string): Directive | undefined {
  if (argument === '') return undefined;
  switch (name) {
    case 'directory':
      return directoryId.test(argument) ? { kind: 'directory', id: argument } : undefined;
    case 'session':
      return uuid.safeParse(argument).success ? { kind: 'session', id: argument.toLowerCase() } : undefined;
    case 'sessions':
      return readSessions(argument);
    case 'chip':
      return readChip(argument);
    case 'button':
      return readButton(argument);
    case 'callout': {
      const tone = toneOf(argument);
      return tone && { kind: 'open', block: 'callout', tone };
    }
    default:
      return undefined;
  }
}

function readSessions(argument: string): Directive | undefined {
  const isNamed = /^(filter|limit)=/.test(argument);
  const [, filter, limit = ''] = /^filter=(.+),limit=([1-9]\d?|100)$/.exec(argument) ?? [];
  const term = isNamed ? filter?.trim() : argument;
  if (!term || term.length > mostTermCharacters) return undefined;
  return { kind: 'sessions', term, limit: isNamed ? Number(limit) : null };
}

function readChip(argument: string): Directive | undefined {
  const [text, named] = splitAt(argument, ',tone=');
  const tone = named === undefined ? 'neutral' : toneOf(named);
  return text && tone ? { kind: 'chip', text, tone } : undefined;
}

function readButton(argument: string): Directive | undefined {
  const [text, url] = splitAt(argument, ',url=');
  return text && httpsUrl.safeParse(url).success ? { kind: 'button', text, url: url ?? '' } : undefined;
}

const toneOf = (name: string): Tone | undefined => tones.find((tone) => tone === name);

/** What is before the first of these marks, and behind it. */
function splitAt(argument: string, mark: string): [string, string | undefined] {
  const at = argument.indexOf(mark);
  return at < 0 ? [argument, undefined] : [argument.slice(0, at).trim(), argument.slice(at + mark.length)];
}
