import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { pdfFonts } from './pdf-fonts';

/* This thread turns the JSON that it receives into a PDF file (pdf-thread.ts). */

const prelude = readFileSync(path.join(__dirname, 'pdf-prelude.typ'), 'utf8');

const maxTaggedPages = 25;

parentPort?.once('message', ({ template, json }: { template: string; json: string }) => {
  const { files, families } = pdfFonts(json);
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: files }] });
  const inputs = { data: json, fonts: JSON.stringify(families) };
  const mainFileContent = prelude + readFileSync(template, 'utf8');
  const compiled = compiler.compile({ mainFileContent, inputs });
  const { result } = compiled;
  if (!result) {
    compiled.printErrors();
    throw new Error(`${path.basename(template)} does not compile`);
  }
  // The tags for screen readers take 0.1 MB a page, so documents with more than `maxTaggedPages` have none.
  const pdf = compiler.pdf(result, { pdfTags: result.numOfPages <= maxTaggedPages });
  compiler.evictCache(0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(pdf);
});
