import { parentPort, workerData } from 'node:worker_threads';
import { compileMarkdown } from './markdown';
import type { MarkdownSource } from './markdown';

/* A thread that compiles one page (markdown-pages.ts). */
const source: MarkdownSource = workerData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(compileMarkdown(source));
