import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { pdfFonts } from './pdf-fonts';
import { toPdfText } from './pdf-text';

/* This process turns JSON that it receives into PDF files, one after another (pdf-process.ts). */

export type PdfRequest = { template: string; json: string };
/** `rss` is the size of the process in bytes. Without a `pdf`, the compiler rejected the document. */
export type PdfReply = { rss: number } & ({ pdf: Uint8Array } | { pdf?: undefined; reason: string });

const prelude = readFileSync(path.join(__dirname, 'pdf-prelude.typ'), 'utf8');
const maxTaggedPages = 25;

/** A compiler reads its fonts once, so there is one for each set of fonts. */
const compilers = new Map<string, NodeCompiler>();
function compilerFor(files: string[]): NodeCompiler {
  const key = files.join('\n');
  const compiler = compilers.get(key) ?? NodeCompiler.create({ fontArgs: [{ fontPaths: files }] });
  compilers.set(key, compiler);
  return compiler;
}

function write({ template, json }: PdfRequest): { pdf: Uint8Array } | { pdf?: undefined; reason: string } {
  const data = JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
    typeof value === 'string' ? toPdfText(value) : value,
  );
  const { files, families } = pdfFonts(data);
  const compiler = compilerFor(files);
  const inputs = { data, fonts: JSON.stringify(families) };
  const compiled = compiler.compile({ mainFileContent: prelude + readFileSync(template, 'utf8'), inputs });
  const { result } = compiled;
  if (!result) {
    const [first] = compiled.takeDiagnostics()?.shortDiagnostics ?? [];
    // What follows a colon or a quotation mark can be text of the document.
    const message = String((first as { message?: unknown } | undefined)?.message).split(/[:"`]/)[0];
    return { reason: `${path.basename(template)} does not compile: ${message}` };
  }
  // The tags for screen readers take 0.1 MB a page, so documents with more than `maxTaggedPages` have none.
  const pdf = compiler.pdf(result, { pdfTags: result.numOfPages <= maxTaggedPages });
  compiler.evictCache(0);
  return { pdf };
}

// A signal to the whole process group must not end this process in the middle of a document. The worker ends it.
for (const event of ['SIGTERM', 'SIGINT']) process.on(event, () => undefined);
// The thread does not keep this process alive. When the worker closes the channel, an idle process ends.
new Worker(path.join(__dirname, 'pdf-watchdog.js'), { workerData: Number(process.argv[2]) }).unref();
process.on('message', (request: PdfRequest) => {
  process.send?.({ ...write(request), rss: process.memoryUsage.rss() } satisfies PdfReply);
  // The memory of the compiler is freed together with its objects.
  globalThis.gc?.();
});
