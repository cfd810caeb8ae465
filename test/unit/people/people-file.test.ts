import { maxCharacters, readPeople } from '../../../api/people/pages/people-file';

const blank = { name: '', external_id: '', phone: '' };

describe('readPeople', () => {
  it.each([
    ['UTF-8', Buffer.from('email,name\na@x.example,Zoë €\n')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFemail,name\na@x.example,Zoë €\n')],
    ['UTF-16', Buffer.from('\uFEFFemail,name\na@x.example,Zoë €\n', 'utf16le')],
    ['Windows-1252', Buffer.from('email,name\na@x.example,Zo\xEB \x80\n', 'latin1')],
  ])('reads %s', (_, file) => {
    expect(readPeople(file)).toEqual([{ ...blank, row: 2, email: 'a@x.example', name: 'Zoë €' }]);
  });

  it.each([
    ['commas', 'E-Mail,Full name\r\na@x.example,"Lee, ""Ann"""'],
    ['semicolons', 'Full name;E-Mail\n"Lee, ""Ann""";a@x.example'],
    ['tabs', 'Email address\tName\ra@x.example\t"Lee, ""Ann"""\r'],
    ['the separator in the first row', 'sep=;\nNome;Indirizzo e-mail\n"Lee, ""Ann""";a@x.example'],
    ['no names of columns', '"Lee, ""Ann""",a@x.example'],
  ])('reads %s and quotes', (_, text) => {
    expect(readPeople(text)).toMatchObject([{ email: 'a@x.example', name: 'Lee, "Ann"' }]);
  });

  it('recognizes columns in other words, joins first and last names, and skips blank rows', () => {
    const text =
      'Vorname,Nachname,E-Mail-Adresse,Telefon,External ID,Shoe size\n,,,,,\nAnn,Lee,a@x.example,+31,x-1,38\n\n';
    expect(readPeople(text)).toEqual([
      { row: 3, email: 'a@x.example', name: 'Ann Lee', external_id: 'x-1', phone: '+31' },
    ]);
  });

  it('keeps formulas as texts, and rows without an address for the operation to judge', () => {
    expect(readPeople(`email,name\na@x.example,"=cmd|' /C calc'!A0"\n,@SUM(1)\nno address,-1`)).toEqual([
      { ...blank, row: 2, email: 'a@x.example', name: "=cmd|' /C calc'!A0" },
      { ...blank, row: 3, email: '', name: '@SUM(1)' },
      { ...blank, row: 4, email: 'no address', name: '-1' },
    ]);
  });

  it('reads 1,000 people and no more', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, place) => `p${place}@x.example,"P, ${place}"\n`);
    expect(readPeople(rows(1_000).join(''))).toHaveLength(1_000);
    expect(() => readPeople(rows(1_001).join(''))).toThrow('1001 people');
  });

  it.each([
    ['an empty file', '', 'no people'],
    ['names of columns only', 'email,name\n', 'no people'],
    ['columns that nobody knows', 'foo,bar\n1,2', 'Name the columns'],
    ['an open quotation mark', 'email,name\na@x.example,"Ann\nb@x.example,Bo', 'quotation mark'],
    ['too many characters', 'a'.repeat(maxCharacters + 1), `${maxCharacters} characters`],
    ['too many quotation marks', '"a"b'.repeat(20_000), 'too many'],
    ['too many columns', ','.repeat(40_000), 'too many'],
    ['too many rows', 'a\n'.repeat(40_000), 'too many'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0xff, 0xd8]), 'Name the columns'],
  ])('rejects %s', (_, content, sentence) => {
    expect(() => readPeople(content)).toThrow(sentence);
  });
});
