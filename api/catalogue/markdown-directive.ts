import { uuid } from '../platform/operation/vocabulary';
import { httpsUrl } from '../platform/text/https-url';

export const tones = ['neutral', 'accent', 'success', 'warning', 'danger'] as const;
type Tone = (typeof tones)[number];
const blocks = ['callout', 'cards', 'columns'] as const;
export type DirectiveBlock = (typeof blocks)[number];

/** The directive that a line of Markdown on a catalogue page contains (docs/catalogue.md#pages-in-markdown). */
export type Directive =
  | { kind: 'plan_progress' }
  | { kind: 'directory'; id: string }
  | { kind: 'session'; id: string }
  /** A null `term` selects all sessions of the directory. A null `limit` means `maxSessions`. */
  | { kind: 'sessions'; term: string | null; limit: number | null }
  | { kind: 'chip'; text: string; tone: Tone }
  | { kind: 'button'; text: string; url: string }
  | { kind: 'open'; block: DirectiveBlock; tone: Tone }
  | { kind: 'close'; block: DirectiveBlock }
  /** Starts the next column of the enclosing `columns` block. */
  | { kind: 'column' };

/** Longer lines are not directives. The limit leaves room for an address of 2,048 characters. */
const maxCharacters = 4_000;
const maxTermCharacters = 200;
/** The most sessions in one list. */
export const maxSessions = 500;
export const directoryId = /^[a-z0-9]+([-_][a-z0-9]+)*$/;

/**
 * Reads a line from which the surrounding white space was removed. Returns undefined if it is not a well-formed
 * directive.
 */
export function readDirective(line: string): Directive | undefined {
  if (!line.startsWith('[') || !line.endsWith(']') || line.length > maxCharacters) return undefined;
  const [, slash, name = '', argument] = /^\[(\/?)([a-z-]+)(?::([^[\]]*))?\]$/.exec(line) ?? [];
  const block = blocks.find((each) => each === name);
  if (slash) return block && argument === undefined ? { kind: 'close', block } : undefined;
  return argument === undefined ? readWord(name) : readArgument(name, argument.trim());
}

function readWord(name: string): Directive | undefined {
  if (name === 'plan-progress') return { kind: 'plan_progress' };
  if (name === 'sessions') return { kind: 'sessions', term: null, limit: null };
  if (name === 'column') return { kind: 'column' };
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

/** Reads the argument of a `sessions` directive: a term, `filter=<term>`, `limit=<n>`, or `filter=<term>,limit=<n>`. */
function readSessions(argument: string): Directive | undefined {
  if (!/^(filter|limit)=/.test(argument)) return sessionsOf(argument, null);
  const named = /(?:^|,)\s*limit=([^,]*)$/.exec(argument);
  const limit = named?.[1]?.trim();
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) return undefined;
  const filter = argument.slice(0, named?.index).trim();
  if (filter !== '' && !filter.startsWith('filter=')) return undefined;
  return sessionsOf(
    filter === '' ? null : filter.slice('filter='.length).trim(),
    limit === undefined ? null : Math.min(Number(limit), maxSessions),
  );
}

const sessionsOf = (term: string | null, limit: number | null): Directive | undefined =>
  term === '' || (term ?? '').length > maxTermCharacters ? undefined : { kind: 'sessions', term, limit };

function readChip(argument: string): Directive | undefined {
  const [text, named] = splitAt(argument, /,\s*tone=/);
  const tone = named === undefined ? 'neutral' : toneOf(named);
  return text && tone ? { kind: 'chip', text, tone } : undefined;
}

function readButton(argument: string): Directive | undefined {
  const [text, url] = splitAt(argument, /,\s*url=/);
  return text && httpsUrl.safeParse(url).success ? { kind: 'button', text, url: url ?? '' } : undefined;
}

const toneOf = (name: string): Tone | undefined => tones.find((tone) => tone === name);

/** Splits the argument at the first match of `mark`. The second part is undefined if there is no match. */
function splitAt(argument: string, mark: RegExp): [string, string | undefined] {
  const found = mark.exec(argument);
  if (!found) return [argument, undefined];
  return [argument.slice(0, found.index).trim(), argument.slice(found.index + found[0].length).trim()];
}
