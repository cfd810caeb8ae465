import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorCodes } from '../../../api/platform/operation/error-codes';
import { reportText } from '../../../api/support/issue-text';
import { inputSchemas, walkSchema } from '../../harness/input-schemas';

/** Refinements within a schema whose issues carry no code; those of `superRefine` are functions that name theirs. */
const withoutCode = (schema: z.ZodType): string[] =>
  [...walkSchema(schema)]
    .filter(({ definition }) => (definition.checks ?? []).some(hasNoCode))
    .map(({ path: place }) => place.join('.') || '(the body)');

function hasNoCode({ _zod: { def } }: z.core.$ZodCheck): boolean {
  if (def.check !== 'custom' || !('fn' in def)) return false;
  const { params } = def as z.core.$ZodCustomDef;
  return !Object.hasOwn(errorCodes, String(params?.['code']));
}

describe('every refinement of a request', () => {
  it.each(inputSchemas)('of $name has an error code', ({ schema }) => {
    expect(withoutCode(schema)).toEqual([]);
  });

  it('is found where it has none', () => {
    const schema = z.object({ a: z.string().refine(() => false, 'no') }).refine(() => false);
    expect(withoutCode(z.object({ b: schema.optional() }))).toEqual(['b', 'b.a']);
    expect(withoutCode(z.string().refine(() => false, { params: { code: 'invalid_value' } }))).toEqual([]);
  });

  // The settings of a deployment are no request.
  it('that adds issues itself names their codes', () => {
    const issues = readdirSync('api', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'config.ts')
      .map((file) => readFileSync(path.join('api', file), 'utf8'))
      .flatMap((source) => source.match(/addIssue\(\{[^;]*?\}\);/gs) ?? []);
    expect(issues.length).toBeGreaterThan(5);
    const settings = /must be (?:addresses or CIDR ranges|ports), comma separated/;
    expect(
      issues.filter(
        (issue) => !issue.includes('code }') && !/params: \{ code\b/.test(issue) && !settings.test(issue),
      ),
    ).toEqual([]);
  });
});

it('calls a password in a report forbidden content', () => {
  const [issue] = reportText(10, 100).safeParse('my password: hunter2').error?.issues ?? [];
  expect(issue).toMatchObject({ params: { code: 'forbidden_content' } });
});
