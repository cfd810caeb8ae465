/** Returns the value of a JSON text, undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Describes where a text stops being JSON. The engine's message does not always contain the position, so this
 * function searches for the longest beginning of the text that could still be continued to valid JSON.
 */
export function describeJsonError(text: string): string {
  if (isBeginning(text)) return 'it ends too early';
  let [fine, wrong] = [0, text.length];
  while (wrong - fine > 1) {
    const middle = Math.floor((fine + wrong) / 2);
    if (isBeginning(text.slice(0, middle))) fine = middle;
    else wrong = middle;
  }
  const line = text.slice(0, fine).split('\n').length;
  return `unexpected ${JSON.stringify(text[fine])} in line ${line}`;
}

/** Returns true for a complete JSON text and for the beginning of one. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return /end of JSON|Unterminated/.test(message) || Number(position) === text.length;
  }
}
