import { parentPort } from 'node:worker_threads';
import { compileMarkdown } from './markdown';
import type { MarkdownSource } from './markdown';

/* This thread compiles the pages that it receives (markdown-thread.ts). */
parentPort?.on('message', (source: MarkdownSource) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(compileMarkdown(source));
});
