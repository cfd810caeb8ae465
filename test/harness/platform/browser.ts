import path from 'node:path';
import { startBrowser as start } from '../../../local/browser';
import type { HeadlessBrowser } from '../../../local/browser';
import { infrastructure } from './infrastructure';

export type TestBrowser = HeadlessBrowser;

let shared: Promise<TestBrowser> | undefined;

/** Returns the browser that the parts of a test file share (run-parts.ts). */
export const sharedBrowser = (): Promise<TestBrowser> => (shared ??= startBrowser());

/** Closes the browser after all `*.part.ts` files of an entry file. */
export const closeSharedBrowser = async (): Promise<void> => (await shared)?.close();

/** Starts a headless Chromium in this run's folder, one for each jest worker. */
const startBrowser = (): Promise<TestBrowser> =>
  start(path.join(infrastructure().folder, `browser-${process.env['JEST_WORKER_ID'] ?? '1'}`));
