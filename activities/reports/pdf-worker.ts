import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { pdfFonts } from '../platform/pdf-fonts';

/* This thread turns the JSON that it receives into PDF files (pdf-thread.ts). */

const template = readFileSync(path.join(__dirname, 'report.typ'), 'utf8');

const maxTaggedPages = 25;

parentPort?.once('message', (report: string) => {
  const { files, families } = pdfFonts(report);
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: files }] });
  const inputs = { report, fonts: JSON.stringify(families) };
  const compiled = compiler.compile({ mainFileContent: template, inputs });
  const { result } = compiled;
  if (!result) {
    compiled.printErrors();
    throw new Error('the template of reports does not compile');
  }
  // The tags for screen readers take 0.1 MB a page, so documents with more than `maxTaggedPages` have none.
  const pdf = compiler.pdf(result, { pdfTags: result.numOfPages <= maxTaggedPages });
  compiler.evictCache(0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(pdf);
});
