import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorCodes } from '../../../api/platform/operation/error-codes';
import { uuid } from '../../../api/platform/operation/vocabulary';
import { boundedText, trimmedText } from '../../../api/platform/text/bounded-text';
import { supportText } from '../../../api/support/support-text';
import { inputSchemas, walkSchema } from '../../harness/platform/input-schemas';
import { allContracts } from '../../harness/platform/operation-inputs';

/* These rules hold for the contract of every operation. */

it.each(allContracts.map(({ name, input, example }) => ({ name, input, example })))(
  'accepts the example of $name',
  ({ input, example }) => {
    expect(input.safeParse(example)).toMatchObject({ success: true });
  },
);

/** Returns the paths of those texts in a schema that are examined before the length of the text is checked. */
const unbounded = (schema: z.ZodType): string[] =>
  [...walkSchema(schema)]
    .filter(({ definition }) => definition.type === 'string')
    .filter(({ definition: { format, abort, checks } }) => {
      const [first] = checks?.map(({ _zod: { def } }) => def) ?? [];
      // All texts that match the pattern of a UUID have the same length, so no limit is needed.
      if (format === 'guid') return !abort;
      return !(format === undefined && first?.check === 'max_length' && first.abort);
    })
    .map(({ path: place }) => place.join('.'));

describe('every text of a request', () => {
  it.each(inputSchemas)('is bounded before anything else looks at it, in $name', ({ schema }) => {
    expect(unbounded(schema)).toEqual([]);
  });

  it.each([
    ['no limit', z.string()],
    ['a limit that does not end the validation', z.string().max(5).regex(/x/)],
    ['a trim before the limit', z.string().trim().max(5, { abort: true })],
    ['a format', z.email()],
  ])('is reported as unbounded when it has %s', (_what, schema) => {
    const places = unbounded(z.object({ list: z.array(z.object({ a: schema.nullish() })) }));
    expect(places).toEqual(['list.0.a']);
  });

  it.each([boundedText(5), trimmedText(5), uuid, boundedText(9).transform(Number)])(
    'is accepted when it is bounded (%#)',
    (schema) => expect(unbounded(schema.optional())).toEqual([]),
  );

  // The schemas of forms are not in a list, so this test finds their files by name. The two trusted files read only
  // the platform's own data.
  it('is made by boundedText, also in forms and pages', () => {
    const trusted = new Set(['results/result-assessment.ts', 'people/sendgrid-events.ts']);
    const forms = readdirSync('api', { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        /-(?:page|actions|form|events)\.tsx?$|recipients\.ts$|^platform\/(?:site|portal)\/.*\.tsx?$/.test(
          file,
        ) && !trusted.has(file),
    );
    expect(forms.length).toBeGreaterThan(30);
    const offenders = forms.filter((file) =>
      /\bz\s*\.(?:string|url|email|iso|guid|uuid)\b/.test(readFileSync(path.join('api', file), 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});

describe('trimmedText', () => {
  const shape = trimmedText(5);

  it('does not count the blanks around a text', () => {
    expect(shape.parse('  abcde\n')).toBe('abcde');
    expect(shape.safeParse('abcdef').success).toBe(false);
  });

  it('publishes its own limit', () => {
    expect(z.toJSONSchema(shape, { io: 'input' })).toMatchObject({ maxLength: 5 });
  });

  it('reports its own limit also when there are too many blanks', () => {
    expect(shape.safeParse(' '.repeat(5_000)).error?.issues).toMatchObject([
      { message: 'must have at most 5 characters' },
    ]);
  });
});

/**
 * Returns the paths of refinements whose issues have no error code. Functions of `superRefine` are left out, because
 * they set the code themselves.
 */
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
  it.each(inputSchemas)('has an error code, in $name', ({ schema }) => {
    expect(withoutCode(schema)).toEqual([]);
  });

  it('is reported when it has no error code', () => {
    const schema = z.object({ a: z.string().refine(() => false, 'no') }).refine(() => false);
    expect(withoutCode(z.object({ b: schema.optional() }))).toEqual(['b', 'b.a']);
    expect(withoutCode(z.string().refine(() => false, { params: { code: 'invalid_value' } }))).toEqual([]);
  });

  it('names the codes of issues that it adds itself', () => {
    const variables = new Set(['config.ts', 'platform/text/temporal-variables.ts']);
    const issues = readdirSync('api', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !variables.has(file))
      .map((file) => readFileSync(path.join('api', file), 'utf8'))
      .flatMap((source) => source.match(/addIssue\(\{[^;]*?\}\);/gs) ?? []);
    expect(issues.length).toBeGreaterThan(5);
    // These messages are about the settings of a deployment, which are not part of a request.
    const settings = /must be (?:addresses or CIDR ranges|ports), comma separated/;
    expect(
      issues.filter(
        (issue) => !issue.includes('code }') && !/params: \{ code\b/.test(issue) && !settings.test(issue),
      ),
    ).toEqual([]);
  });
});

it('reports a password in a support text as forbidden content', () => {
  const [issue] = supportText(10, 100).safeParse('my password: hunter2').error?.issues ?? [];
  expect(issue).toMatchObject({ params: { code: 'forbidden_content' } });
});
