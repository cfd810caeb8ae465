import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { openApiDocument } from '../../harness/operation-inputs';

type Pattern = { at: string; pattern: string; format: unknown };

function* patternsOf(value: unknown, at = ''): Generator<Pattern> {
  if (typeof value !== 'object' || value === null) return;
  if ('pattern' in value && typeof value.pattern === 'string')
    yield { at, pattern: value.pattern, format: Reflect.get(value, 'format') };
  for (const [key, entry] of Object.entries(value)) yield* patternsOf(entry, `${at}/${key}`);
}
const published = [
  ...patternsOf(openApiDocument),
  ...patternsOf(buildWebhooksDocument('https://api.example.com')),
];

/** What validators of Go (RE2) or Python (re) cannot read, or read in another way. */
const notEverywhere = /\\[pP]\{|\(\?[=!<]|\\[1-9]|\\k</;

describe('the patterns of the OpenAPI documents', () => {
  it('are there', () => expect(published.length).toBeGreaterThan(3));

  it('are ECMA-262 without the u flag, lookaround, back references and \\p', () => {
    for (const { pattern } of published) expect(() => new RegExp(pattern)).not.toThrow();
    expect(published.filter(({ pattern }) => notEverywhere.test(pattern))).toEqual([]);
  });

  it('do not stand beside the format of an e-mail address', () => {
    expect(published.filter(({ format }) => format === 'email' || format === 'idn-email')).toEqual([]);
  });

  it('is \\S where a text must not be blank', () => {
    const names = published.filter(({ at }) => at.endsWith('/properties/name')).map(({ pattern }) => pattern);
    expect(new Set(names)).toEqual(new Set(['\\S']));
  });
});
