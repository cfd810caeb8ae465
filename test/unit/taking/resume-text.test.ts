import type { ResumeProblem } from '../../../api/taking/resume-kinds';
import { readResumeText } from '../../../api/taking/resume-text';
import { documentXml, makeDocx, paragraph } from '../../harness/taking/resume-files';

/* PDF files, and files that are made to be slow, are read by the process in test/local/read-resume.test.ts. */

const text = 'Ann Lee\nLed a team of 12 nurses (2019-2024)';
const docx = documentXml(
  `<w:p><w:r><w:t>Ann</w:t><w:t xml:space="preserve"> Lee</w:t></w:r></w:p>
   <w:tbl><w:tr><w:tc>${paragraph('Led a team of 12 nurses (2019-2024)')}</w:tc></w:tr></w:tbl>
   <mc:AlternateContent xmlns:mc="urn:x"><mc:Fallback>${paragraph('Repeated')}</mc:Fallback></mc:AlternateContent>`,
);
const large = documentXml(' '.repeat(17_000_000));
/** Replaces the size of the last file in the table of an archive. */
function withSmallSize(archive: Buffer): Buffer {
  archive.writeUInt32LE(100, archive.lastIndexOf('PK\x01\x02') + 24);
  return archive;
}
const manyFiles = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`a${at}`, new Uint8Array(1)]));
const entities = `<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;

describe('readResumeText', () => {
  it.each<[string, 'docx' | 'txt', Buffer, string]>([
    ['a Word document', 'docx', makeDocx(docx), text],
    [
      'text in UTF-8',
      'txt',
      Buffer.from(`\uFEFF${text.replace('\n', '\r\n')}\n\n\n\n\tÖzgeçmiş`),
      `${text}\n\nÖzgeçmiş`,
    ],
    ['text in UTF-16', 'txt', Buffer.from(`\uFEFF${text}`, 'utf16le'), text],
    ['empty text', 'txt', Buffer.from(' \n'), ''],
  ])('reads %s', async (_what, kind, file, expected) => {
    expect(await readResumeText(kind, file)).toEqual({ text: expected });
  });

  it.each<[string, 'docx' | 'txt', ResumeProblem, () => Buffer]>([
    ['a picture', 'txt', 'kind', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
    ['text in another encoding', 'txt', 'kind', () => Buffer.from('Résumé', 'latin1')],
    ['text of more than 20 pages', 'txt', 'pages', () => Buffer.from('word '.repeat(12_001))],
    ['5 MB of text', 'txt', 'pages', () => Buffer.alloc(5_000_000, 'a')],
    ['an archive without a document', 'docx', 'kind', () => makeDocx(null)],
    ['half of a document', 'docx', 'unreadable', () => makeDocx(docx).subarray(0, 300)],
    ['a document of 17 MB', 'docx', 'unreadable', () => makeDocx(large)],
    ['a document that says it is small', 'docx', 'unreadable', () => withSmallSize(makeDocx(large))],
    ['a document with 2,001 files', 'docx', 'unreadable', () => makeDocx(docx, manyFiles)],
    [
      'a document that is nested deeply',
      'docx',
      'unreadable',
      () => makeDocx(documentXml('<w:p>'.repeat(100_000))),
    ],
    [
      'a document with entities',
      'docx',
      'unreadable',
      () => makeDocx(documentXml(paragraph('&c;'), entities)),
    ],
    [
      'a document of more than 20 pages',
      'docx',
      'pages',
      () => makeDocx(documentXml(paragraph('word '.repeat(12_001)))),
    ],
  ])('refuses %s', async (_what, kind, problem, file) => {
    expect(await readResumeText(kind, file())).toEqual({ problem });
  });
});
