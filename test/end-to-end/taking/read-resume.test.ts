import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResume } from '../../../api/taking/read-resume';
import { maxResumeBytes } from '../../../api/taking/resume-kinds';
import type { ResumeProblem } from '../../../api/taking/resume-kinds';
import { bombOf, documentXml, makeDocx, makePdf, paragraph, pdfOf } from '../../harness/taking/resume-files';

const folder = mkdtempSync(path.join(tmpdir(), 'read-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Returns the path of a script that runs in place of the one that reads files. */
const script = (source: string): string => {
  const file = path.join(folder, 'child.js');
  writeFileSync(file, source);
  return file;
};
const read = (file: Buffer) => readResume(file, 'a link');

const lines = ['Ann Lee', 'Led a team of 12 nurses (2019-2024)'];
const text = lines.join('\n');
const docx = documentXml(
  `<w:p><w:r><w:t>Ann</w:t><w:t xml:space="preserve"> Lee</w:t></w:r></w:p>
   <w:tbl><w:tr><w:tc>${paragraph('Led a team of 12 nurses (2019-2024)')}</w:tc></w:tr></w:tbl>
   <mc:AlternateContent xmlns:mc="urn:x"><mc:Fallback>${paragraph('Repeated')}</mc:Fallback></mc:AlternateContent>`,
);
const large = documentXml(' '.repeat(20_000_000));
/** Replaces the size of the last file in the table of an archive. */
function withSmallSize(archive: Buffer): Buffer {
  archive.writeUInt32LE(100, archive.lastIndexOf('PK\x01\x02') + 24);
  return archive;
}
const nested = '[ '.repeat(1_000_000);
const entities = `<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;

describe('readResume', () => {
  it.each([
    ['a PDF', 'pdf', makePdf(lines), text],
    ['a Word document', 'docx', makeDocx(docx), text],
    [
      'text in UTF-8',
      'txt',
      Buffer.from(`\uFEFF${lines.join('\r\n')}\n\n\n\n\tÖzgeçmiş`),
      `${text}\n\nÖzgeçmiş`,
    ],
    ['text in UTF-16', 'txt', Buffer.from(`\uFEFF${text}`, 'utf16le'), text],
    ['a PDF without text', 'pdf', makePdf([]), null],
    ['20 pages', 'pdf', makePdf(['-'], { pages: 20 }), null],
    ['empty text', 'txt', Buffer.from(' \n'), null],
  ])('reads %s', async (_what, kind, file, expected) => {
    expect(await read(file)).toEqual({ kind, text: expected });
  });

  it.each<[string, ResumeProblem, () => Buffer]>([
    ['more than 5 MB', 'size', () => Buffer.alloc(maxResumeBytes + 1, 'a')],
    ['a picture', 'kind', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
    ['text in another encoding', 'kind', () => Buffer.from('Résumé', 'latin1')],
    ['text of more than 20 pages', 'pages', () => Buffer.from('word '.repeat(12_001))],
    ['5 MB of text', 'pages', () => Buffer.alloc(maxResumeBytes, 'a')],
    ['a PDF that only begins like one', 'unreadable', () => Buffer.from('%PDF-1.7\nno objects')],
    ['half of a PDF', 'unreadable', () => makePdf(lines).subarray(0, 200)],
    ['a PDF of 21 pages', 'pages', () => makePdf(lines, { pages: 21 })],
    ['a PDF of 10,000 pages', 'pages', () => makePdf(lines, { pages: 10_000 })],
    [
      'a PDF with a password',
      'protected',
      () =>
        makePdf(lines, {
          trailer: `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
        }),
    ],
    ['a PDF with a stream of 4 GB', 'unreadable', () => makePdf(bombOf(4_000))],
    [
      'a PDF that is nested a million times',
      'unreadable',
      () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', nested]),
    ],
    ['an archive without a document', 'kind', () => makeDocx(null)],
    ['half of a Word document', 'unreadable', () => makeDocx(docx).subarray(0, 300)],
    ['a Word document of 20 MB', 'unreadable', () => makeDocx(large)],
    ['a Word document that says it is small', 'unreadable', () => withSmallSize(makeDocx(large))],
    [
      'a Word document with 3,000 files',
      'unreadable',
      () =>
        makeDocx(
          docx,
          Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`a${at}`, new Uint8Array(1)])),
        ),
    ],
    [
      'a Word document that is nested deeply',
      'unreadable',
      () => makeDocx(documentXml('<w:p>'.repeat(100_000))),
    ],
    ['a Word document with entities', 'unreadable', () => makeDocx(documentXml(paragraph('&c;'), entities))],
    [
      'a Word document of more than 20 pages',
      'pages',
      () => makeDocx(documentXml(paragraph('word '.repeat(12_001)))),
    ],
  ])('refuses %s', async (_what, problem, file) => {
    expect(await read(file())).toEqual({ problem });
  });

  it('refuses a file whose process dies, which knows no environment', async () => {
    process.env['SECRET'] = 'a secret';
    const reply = await readResume(
      Buffer.from(text),
      'a link',
      script('process.stdout.write(JSON.stringify({ text: `${Object.keys(process.env)} ok` }))'),
    );
    delete process.env['SECRET'];
    expect(reply).toMatchObject({ text: expect.not.stringContaining('SECRET') });
    const dead = script(`process.kill(process.pid, 'SIGSEGV')`);
    expect(await readResume(Buffer.from(text), 'a link', dead)).toEqual({ problem: 'unreadable' });
  });
});
