import { ApiError } from '../operation/api-error';

/**
 * The maximum number of values in a body. A body of 1 MiB can contain 500,000 values, and V8 takes 0.1 to 0.2 s for
 * objects with that many keys or levels. 1,000 rows of 25 fields are within the limit.
 */
const maxValues = 30_000;
/**
 * The most entries of one list or object. V8 takes 0.1 s for an object of 29,000 keys, and no call needs more than
 * 1,000.
 */
const maxEntries = 2_000;
/**
 * The most levels of nesting that are parsed. Only 32 are allowed, but `checkText` checks this after parsing, because
 * it can then name the field.
 */
const maxLevels = 1_000;

/**
 * Parses the JSON of a request in a limited time. Throws 422 if the JSON is malformed or has too many values or levels.
 */
export function parseJson(text: string): unknown {
  assertSmall(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const [comma, openBracket, closeBracket, openBrace, closeBrace] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

function assertSmall(text: string): void {
  let [values, levels, isInText] = [1, 0, false];
  /** The number of entries so far in each open list or object, outermost first. */
  const entries = [1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === backslash) index += 1;
      else if (code === quote) isInText = false;
    } else if (code === quote) isInText = true;
    else if (code === comma) {
      values += 1;
      const count = (entries[levels] ?? 1) + 1;
      entries[levels] = count;
      if (count > maxEntries)
        throw new ApiError(
          'invalid_json',
          `A list or object in the body has more than ${maxEntries} entries. Send fewer in one call.`,
        );
    } else if (code === openBracket || code === openBrace) {
      values += 1;
      levels += 1;
      entries[levels] = 1;
      if (levels > maxLevels)
        throw new ApiError('invalid_json', 'The body must not be nested more than 32 levels deep.');
    } else if (code === closeBracket || code === closeBrace) levels -= 1;
  }
  if (values > maxValues)
    throw new ApiError('invalid_json', `The body has more than ${maxValues} values. Send fewer in one call.`);
}
