import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { boundedText, trimmedText } from '../../../api/platform/text/bounded-text';
import { uuid } from '../../../api/platform/operation/vocabulary';
import { inputSchemas, walkSchema } from '../../harness/input-schemas';

/** Texts within a schema that something looks at before their length ended the validation. */
const unbounded = (schema: z.ZodType): string[] =>
  [...walkSchema(schema)]
    .filter(({ definition }) => definition.type === 'string')
    .filter(({ definition: { format, abort, checks } }) => {
      const [first] = checks?.map(({ _zod: { def } }) => def) ?? [];
      // Its pattern has a fixed length.
      if (format === 'guid') return !abort;
      return !(format === undefined && first?.check === 'max_length' && first.abort);
    })
    .map(({ path: place }) => place.join('.'));

describe('every text of a request', () => {
  it.each(inputSchemas)('of $name is bounded before anything else looks at it', ({ schema }) => {
    expect(unbounded(schema)).toEqual([]);
  });

  it.each([
    ['no limit', z.string()],
    ['a limit that does not end the validation', z.string().max(5).regex(/x/)],
    ['a trim before the limit', z.string().trim().max(5, { abort: true })],
    ['a format', z.email()],
  ])('is found where it has %s', (_what, schema) => {
    const places = unbounded(z.object({ list: z.array(z.object({ a: schema.nullish() })) }));
    expect(places).toEqual(['list.0.a']);
  });

  it.each([boundedText(5), trimmedText(5), uuid, boundedText(9).transform(Number)])(
    'passes where it is bounded (%#)',
    (schema) => expect(unbounded(schema.optional())).toEqual([]),
  );

  // The forms of the console have no list that could be walked. The two files read what the platform itself wrote or signed.
  it('of forms and pages is made by boundedText, too', () => {
    const trusted = new Set(['results/result-assessment.ts', 'people/sendgrid-events.ts']);
    const forms = readdirSync('api', { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        /-(?:page|acts|form|events)\.ts$|recipients\.ts$|^platform\/(?:site|portal)\//.test(file) &&
        !trusted.has(file),
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

  it('leaves the blanks around a text out before it counts', () => {
    expect(shape.parse('  abcde\n')).toBe('abcde');
    expect(shape.safeParse('abcdef').success).toBe(false);
  });

  it('publishes its own limit', () => {
    expect(z.toJSONSchema(shape, { io: 'input' })).toMatchObject({ maxLength: 5 });
  });

  it('names its own limit also where there are too many blanks', () => {
    expect(shape.safeParse(' '.repeat(5_000)).error?.issues).toMatchObject([
      { message: 'must have at most 5 characters' },
    ]);
  });
});
