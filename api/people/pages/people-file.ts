import papaparse from 'papaparse';
import { ApiError } from '../../platform/operation/api-error';
import { countOf } from '../../platform/text/count-of';

/** A person of a file, as texts that the operation validates. `row` is the number of the row in the file. */
export type ListedPerson = { row: number; email: string; name: string; external_id: string; phone: string };

/** The most people of one call. */
const maxPeople = 1_000;
/*
 * Limits that keep the parser below 100 ms: a file of 1,000 people needs less, and quotes are what costs the parser most
 * (0.2 s for 240,000 characters of them).
 */
export const maxCharacters = 262_144;
const maxOf = { '\n': 20_000, '\r': 20_000, '"': 20_000, ',': 30_000, ';': 30_000, '\t': 30_000 };

/**
 * Reads a file or a pasted text with one person per row, separated by commas, semicolons or tabs. The first row can name
 * the columns. Throws a 422 for the field `file` if it cannot be read.
 */
export function readPeople(content: Buffer | string): ListedPerson[] {
  const text = typeof content === 'string' ? content : decode(content);
  if (text.length > maxCharacters)
    throw unreadable(`The list must have at most ${maxCharacters} characters.`);
  for (const [character, most] of Object.entries(maxOf))
    if (countOf(text, character, most) > most)
      throw unreadable('The list has too many rows, columns or quotation marks.');
  const { data: rows, errors } = papaparse.parse<string[]>(text.trimEnd(), {
    delimitersToGuess: [',', ';', '\t'],
  });
  const wrong = errors.find(({ type }) => type === 'Quotes');
  if (wrong)
    throw unreadable(`Row ${(wrong.row ?? 0) + 1} has a quotation mark that is not closed or not doubled.`);
  const people = rows.every(isBlank) ? [] : toPeople(rows);
  if (people.length === 0) throw unreadable('The list has no people.');
  if (people.length > maxPeople)
    throw unreadable(`The list has ${people.length} people. Send at most ${maxPeople} at a time.`);
  return people;
}

const unreadable = (sentence: string) => new ApiError('invalid_value', sentence, 'file');

/**
 * Decodes a file: UTF-8 and UTF-16 with a byte order mark, UTF-8 without one, and else Windows-1252, which Excel writes.
 */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Without `stream`, Node 20 decodes the bytes from 0x80 to 0x9f as control characters.
    return new TextDecoder('windows-1252').decode(bytes, { stream: true });
  }
}

type Column = 'email' | 'name' | 'first' | 'last' | 'external_id' | 'phone';
/** The names of columns in letters and digits only, without accents. */
const columnNames: Record<Column, string> = {
  email:
    'email mail emailaddress mailaddress emailadresse emailadres adresseemail adressemail courriel correo correoelectronico indirizzoemail',
  name: 'name fullname candidate candidatename applicant applicantname naam nomcomplet nombrecompleto',
  first: 'firstname givenname vorname voornaam prenom nombre nome',
  last: 'lastname surname familyname nachname achternaam nom apellido apellidos cognome',
  external_id: 'externalid id reference ref candidateid applicantid',
  phone:
    'phone phonenumber mobile mobilephone mobilenumber cell telephone tel telefon telefonnummer telefoon telefono',
};
const columns = new Map(
  Object.entries(columnNames).flatMap(([column, names]) =>
    names.split(' ').map((name) => [name, column as Column] as const),
  ),
);
const columnOf = (cell: string): Column | undefined =>
  columns.get(
    cell
      .slice(0, 100)
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );

function toPeople(rows: readonly string[][]): ListedPerson[] {
  // Excel writes the separator into a first row, such as `sep=;`.
  const first = rows.findIndex((cells) => !isBlank(cells) && !cells[0]?.startsWith('sep='));
  const head = rows[first] ?? [];
  const named = head.map(columnOf);
  const isHeader = named.includes('email');
  const places = isHeader ? named : guess(head);
  return rows.flatMap((cells, index) => {
    if (index < first + Number(isHeader) || isBlank(cells)) return [];
    const cell = (column: Column) => (cells[places.indexOf(column)] ?? '').trim();
    const name = cell('name') || [cell('first'), cell('last')].filter(Boolean).join(' ');
    return {
      row: index + 1,
      email: cell('email'),
      name,
      external_id: cell('external_id'),
      phone: cell('phone'),
    };
  });
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** Without names of columns, the address is the cell with an @, and the name is the first other cell. */
function guess(cells: readonly string[]): (Column | undefined)[] {
  const email = cells.findIndex((cell) => cell.includes('@'));
  if (email < 0)
    throw unreadable(
      'Name the columns in the first row: email, and if you have them name, external_id and phone.',
    );
  const name = email === 0 ? 1 : 0;
  return cells.map((_, index) => (index === email ? 'email' : index === name ? 'name' : undefined));
}
