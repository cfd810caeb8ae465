import { parseJson } from './parse-body';

/** Returns the JSON objects that a prompt has between two equal lines of random characters, merged into one. */
export const readFences = (prompt: string): object =>
  Object.assign(
    {},
    ...Array.from(prompt.matchAll(/^([0-9a-f]{24})\n(.*?)\n\1$/gms), ([, , text]) => parseJson(text)),
  ) as object;
