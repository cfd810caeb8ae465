import { unzipSync } from 'fflate';
import { parser } from 'sax';
import { maxResumeCharacters, maxResumePages } from './resume-kinds';
import type { ResumeTextOutcome, ResumeKind, ResumeProblem } from './resume-kinds';

/** Thrown for a résumé that is not accepted. */
class Refused extends Error {
  constructor(readonly problem: ResumeProblem) {
    super(problem);
  }
}

/** The document of a long résumé has 1 to 2 MB, most of it formatting. */
const maxXmlBytes = 16_000_000;
/** Word writes 10 to 30 files, and one for each picture. */
const maxEntries = 2_000;
/** Tables in tables are about 30 elements deep. */
const maxDepth = 200;

const readers: Record<ResumeKind, (file: Buffer) => string | Promise<string>> = {
  pdf: readPdf,
  docx: readDocx,
  txt: readPlain,
};

async function readPdf(file: Buffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(file), {
    isEvalSupported: false,
    verbosity: 0,
  });
  if (pdf.numPages > maxResumePages) throw new Refused('pages');
  let text = '';
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    text = `${text}\n`;
    if (text.length > 2 * maxResumeCharacters) throw new Refused('pages');
  }
  return text;
}

/** Reads the main part of a Word document. What its paragraphs, tables and text boxes say is in `w:t`. */
function readDocx(file: Buffer): string {
  const name = 'word/document.xml';
  let entries = 0;
  const { [name]: xml } = unzipSync(file, {
    filter: (entry) => {
      entries += 1;
      if (entries > maxEntries) throw new Refused('unreadable');
      if (entry.name !== name) return false;
      if (entry.originalSize > maxXmlBytes) throw new Refused('unreadable');
      return true;
    },
  });
  if (!xml) throw new Refused('kind');
  return readXml(decodeText(Buffer.from(xml)));
}

function readXml(xml: string): string {
  let text = '';
  let depth = 0;
  let isText = false;
  /** The depth of an alternative for old programs, which repeats the text before it. Infinity outside of one. */
  let repeatedAt = Infinity;
  const add = (more: string) => {
    if (depth >= repeatedAt) return;
    text += more;
    if (text.length > 2 * maxResumeCharacters) throw new Refused('pages');
  };
  const refuse = () => {
    throw new Refused('unreadable');
  };
  const reader = Object.assign(parser(true), {
    onopentag: ({ name }: { name: string }) => {
      depth += 1;
      if (depth > maxDepth) refuse();
      isText = name === 'w:t';
      if (name === 'mc:Fallback') repeatedAt = Math.min(repeatedAt, depth);
      if (name === 'w:tab') add('\t');
      if (name === 'w:br' || name === 'w:cr') add('\n');
    },
    onclosetag: (name: string) => {
      isText = false;
      if (name === 'w:p') add('\n');
      if (depth === repeatedAt) repeatedAt = Infinity;
      depth -= 1;
    },
    ontext: (more: string) => {
      if (isText) add(more);
    },
    // Word writes no document type, and only one can define entities.
    ondoctype: refuse,
    onerror: refuse,
  });
  reader.write(xml).close();
  return text;
}

function readPlain(file: Buffer): string {
  // A character takes at most four bytes.
  if (file.length > 4 * 2 * maxResumeCharacters) throw new Refused('pages');
  const text = decodeText(file);
  // oxlint-disable-next-line no-control-regex -- they show that a file is no text
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) throw new Refused('kind');
  return text;
}

/** Decodes UTF-8, or UTF-16 that begins with a byte order mark. */
function decodeText(bytes: Buffer): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Refused('kind');
  }
}

/** Returns the text without what Postgres cannot store, and without blanks that only lay it out. */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- Postgres does not store NUL, and none of the others can be read
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Reads the text of a résumé, or why it is not accepted. Files can make this slow (read-resume-child.ts). */
export async function readResumeText(kind: ResumeKind, file: Buffer): Promise<ResumeTextOutcome> {
  try {
    const text = tidy(await readers[kind](file));
    return text.length > maxResumeCharacters ? { problem: 'pages' } : { text };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.problem };
    const isProtected = error instanceof Error && error.name === 'PasswordException';
    return { problem: isProtected ? 'protected' : 'unreadable' };
  }
}
