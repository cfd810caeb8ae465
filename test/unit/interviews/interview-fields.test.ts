import { z } from 'zod';
import { availableTill } from '../../../api/interviews/interview-fields';
import { jobInterviewCreate } from '../../../api/interviews/job-interview-create';
import { paging } from '../../../api/platform/operation/page-cursor';
import { queryBoolean } from '../../../api/platform/operation/vocabulary';
import { availableUntilMs } from '../../../api/platform/text/available-until';

const least = {
  name: 'a',
  location: 'b',
  interview_template_id: '0198a000-0000-7000-8000-000000000004',
  platform_language_code: 'en',
  status: 'draft',
  type: 'interview',
  visibility: 'public',
};
const create = (more: object) => jobInterviewCreate.input.safeParse({ ...least, ...more });

describe('additional_context', () => {
  const send = (...names: string[]) =>
    create({
      additional_context: {
        team: 5,
        departments: names.map((name) => ({ name, description: 'x', size: 3 })),
      },
    });
  it('keeps departments with names of their own, without invisible characters', () => {
    expect(send('Sales', 'Le\u202egal\u200b').data?.additional_context).toEqual({
      team: 5,
      departments: ['Sales', 'Legal'].map((name) => ({ name, description: 'x', size: 3 })),
    });
    for (const names of [['Sales'], ['Sales', 'sales'], ['Legal', 'Le\u202egal']])
      expect(send(...names).error?.issues.map(({ path }) => path)).toEqual([
        ['additional_context', 'departments'],
      ]);
  });
});

describe('interview_available_till', () => {
  it.each([
    ['2030-01-15', '2030-01-15', '2030-01-15T23:59:59.999Z'],
    ['2028-02-29', '2028-02-29', '2028-02-29T23:59:59.999Z'],
    ['1970-01-01', '1970-01-01', '1970-01-01T23:59:59.999Z'],
    ['2030-01-15T10:00:00Z', '2030-01-15T10:00:00.000Z', '2030-01-15T10:00:00.000Z'],
    ['2030-01-15T10:00:00.123456Z', '2030-01-15T10:00:00.123Z', '2030-01-15T10:00:00.123Z'],
    ['2030-01-15T10:00:00+02:00', '2030-01-15T08:00:00.000Z', '2030-01-15T08:00:00.000Z'],
    ['2030-12-31T23:30:00-01:00', '2031-01-01T00:30:00.000Z', '2031-01-01T00:30:00.000Z'],
  ])('keeps %s as %s, until %s', (sent, kept, until) => {
    expect(availableTill.parse(sent)).toBe(kept);
    expect(new Date(availableUntilMs(sent)).toISOString()).toBe(until);
  });

  it.each([
    '2030-02-29',
    '2030-13-01',
    '2030-1-5',
    '2030-01-15T10:00:00',
    '2030-02-30T10:00:00Z',
    '2030-01-15T24:00:00Z',
    '2030-01-15T10:00:00+99:00',
    '2030-01-15\n',
    '',
  ])('rejects %j', (sent) => expect(availableTill.safeParse(sent).success).toBe(false));

  it('must be in the future on create, and may be today', () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(create({ interview_available_till: '2020-01-01' }).error?.issues[0]).toMatchObject({
      path: ['interview_available_till'],
      message: 'must be in the future',
    });
    expect(create({ interview_available_till: today }).success).toBe(true);
  });
});

describe('interview_length', () => {
  it.each([
    [1, 1],
    [40, 40],
    ['7', 7],
    [' 12 ', 12],
    ['007', 7],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j questions', (sent, count) => {
    expect(create({ interview_length: sent }).data?.interview_length).toBe(count);
  });

  it.each([0, 41, 1.5, '', 'ten', '1e1', true, {}])('rejects %j', (sent) =>
    expect(create({ interview_length: sent }).error?.issues[0]?.path).toEqual(['interview_length']),
  );
});

describe('job-interview-create', () => {
  it('trims name and location and rejects blank ones', () => {
    const { data } = create({ name: '  Baker  ', location: '\tHome\n' });
    expect([data?.name, data?.location]).toEqual(['Baker', 'Home']);
    expect(create({ name: ' \u00a0 ' }).success).toBe(false);
    expect(create({ name: `${'x'.repeat(200)}   ` }).success).toBe(true);
    expect(create({ name: 'x'.repeat(201) }).success).toBe(false);
  });

  it('treats null as left out, and keeps an unknown tone as sent', () => {
    const { data } = create({
      interview_tone: null,
      code: null,
      hiring_for_company: null,
      max_duration: null,
    });
    expect(data).toMatchObject({ interview_tone: 'relaxed', max_duration: 1_200 });
    expect([data?.code, data?.hiring_for_company]).toEqual([undefined, undefined]);
    expect(create({ interview_tone: 'Sarcastic' }).data?.interview_tone).toBe('Sarcastic');
  });

  it('requires a knowledge base for a process verification', () => {
    const interview_type = 'process-verification-from-knowledge-base';
    expect(create({ interview_type }).error?.issues[0]?.path).toEqual(['knowledge_base_store_id']);
    expect(create({ interview_type, knowledge_base_store_id: least.interview_template_id }).success).toBe(
      true,
    );
  });

  it.each([
    'http://a.example/x.png',
    'https://',
    'javascript:alert(1)',
    '/x.png',
    `https://a.example/${'x'.repeat(2_048)}`,
  ])('rejects the cover image %s', (url) =>
    expect(create({ cover_image_url: url }).error?.issues[0]?.path).toEqual(['cover_image_url']),
  );

  it.each([
    ['two', [{}, {}], true],
    ['ten', Array.from({ length: 10 }, () => ({})), true],
    ['one', [{}], false],
    ['eleven', Array.from({ length: 11 }, () => ({})), false],
    ['two, of which one has no name', [{}, { name: ' ' }], false],
    ['two, of which one has no description', [{}, { description: undefined }], false],
    ['no list of', {}, false],
  ])('accepts %s departments as %j: %s', (_, given, isValid) => {
    const departments = Array.isArray(given)
      ? given.map((more, place) => ({ name: `Sales ${place}`, description: 'Sells.', ...more }))
      : given;
    const { error } = create({ additional_context: { departments } });
    expect(error?.issues[0]?.path).toEqual(isValid ? undefined : ['additional_context', 'departments']);
  });

  it('accepts a free object up to its size', () => {
    expect(create({ additional_context: { a: 'x'.repeat(19_000) } }).success).toBe(true);
    expect(create({ additional_context: { a: 'x'.repeat(20_000) } }).error?.issues[0]?.message).toBe(
      'must be at most 20000 characters of JSON',
    );
  });
});

describe('a query', () => {
  it('accepts only `true` and `false` as booleans', () => {
    expect([queryBoolean.parse('true'), queryBoolean.parse('false')]).toEqual([true, false]);
    for (const word of ['', '1', 'yes', 'TRUE', ' true', true, null])
      expect(queryBoolean.safeParse(word).success).toBe(false);
  });

  it('accepts whole numbers within their bounds', () => {
    const page = z.object(paging);
    expect(page.parse({})).toEqual({ limit: 50, offset: 0 });
    expect(page.parse({ limit: '1000', offset: '007' })).toEqual({ limit: 1_000, offset: 7 });
    for (const limit of ['0', '1001', '-1', '+1', '1.0', '', ' 1', '1e2', '٣', 5])
      expect([limit, page.safeParse({ limit }).success]).toEqual([limit, false]);
  });
});
