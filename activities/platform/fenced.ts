import { randomBytes } from 'node:crypto';

/** Writes data as JSON that cannot close a tag of a prompt. */
export const toPromptJson = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');

/**
 * Returns texts from outside for a prompt: as JSON between two equal lines that nobody who wrote them can guess, after the
 * words that they are data. `what` says whose texts they are.
 */
export function fenceUntrusted(what: string, data: object): string {
  const fence = randomBytes(12).toString('hex');
  return `${what}, data between the two lines ${fence}:\n${fence}\n${toPromptJson(data)}\n${fence}`;
}
