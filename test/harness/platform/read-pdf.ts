import { execFileSync } from 'node:child_process';

/* The library is an ES module, which Jest does not load, so it runs in a process of its own. */
const script = `
  import { extractText } from 'unpdf';
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const { text } = await extractText(new Uint8Array(Buffer.concat(chunks)));
  process.stdout.write(JSON.stringify(text));`;

/** Returns the text of each page of a PDF, as a reader's search or copy finds it. */
export const readPdf = (pdf: Buffer): string[] =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: pdf }).toString(),
  ) as string[];
