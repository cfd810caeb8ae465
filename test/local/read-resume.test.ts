import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResume } from '../../api/taking/read-resume';
import { maxResumeBytes } from '../../api/taking/resume-kinds';
import { bombOf, documentXml, makeDocx, makePdf, paragraph, pdfOf } from '../harness/taking/resume-files';

describe('the process that reads a résumé', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'read-resume-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Returns the path of a script that runs in place of the one that reads files. */
  const script = (source: string): string => {
    const file = path.join(folder, 'child.js');
    writeFileSync(file, source);
    return file;
  };
  const lines = ['Ann Lee', 'Led a team of 12 nurses (2019-2024)'];

  it('reads PDF and Word files, and gives up those that take too much', async () => {
    const trailer = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`;
    const read = { kind: 'pdf', text: lines.join('\n') };
    const files: [string, Buffer, unknown][] = [
      ['a PDF', makePdf(lines), read],
      ['a Word document', makeDocx(documentXml(paragraph('Ann Lee'))), { kind: 'docx', text: 'Ann Lee' }],
      ['20 pages without a word', makePdf(['-'], { pages: 20 }), { kind: 'pdf', text: null }],
      ['21 pages', makePdf(lines, { pages: 21 }), { problem: 'pages' }],
      ['more than 5 MB', Buffer.alloc(maxResumeBytes + 1, 'a'), { problem: 'size' }],
      ['a file that only begins like a PDF', Buffer.from('%PDF-1.7\nno objects'), { problem: 'unreadable' }],
      ['half of a PDF', makePdf(lines).subarray(0, 200), { problem: 'unreadable' }],
      ['a password', makePdf(lines, { trailer }), { problem: 'protected' }],
      ['a stream of 4 GB', makePdf(bombOf(4_000)), { problem: 'unreadable' }],
      [
        'a million levels',
        pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '[ '.repeat(1_000_000)]),
        { problem: 'unreadable' },
      ],
    ];
    const found = await Promise.all(
      files.map(async ([name, file]) => [name, await readResume(file, name)] as const),
    );
    expect(found).toEqual(files.map(([name, , expected]) => [name, expected]));
  });

  it('may die, and knows no environment', async () => {
    process.env['SECRET'] = 'a secret';
    const names = script('process.stdout.write(JSON.stringify({ text: `${Object.keys(process.env)} ok` }))');
    const reply = await readResume(Buffer.from('Ann'), 'a link', names);
    delete process.env['SECRET'];
    expect(reply).toMatchObject({ text: expect.not.stringContaining('SECRET') });
    const dead = script(`process.kill(process.pid, 'SIGSEGV')`);
    expect(await readResume(Buffer.from('Ann'), 'a link', dead)).toEqual({ problem: 'unreadable' });
  });
});
