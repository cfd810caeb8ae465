import * as parts from '../parts';
import { closePages, closeSharedBrowser } from './browser';
import { stopSharedPlatform } from './shared-platform';

/** Runs the parts of these folders (parts.ts) on one shared platform. */
export function runParts(...folders: string[]): void {
  parts.runParts(...folders);
  afterEach(closePages);
  afterAll(closeSharedBrowser);
  afterAll(stopSharedPlatform);
}
