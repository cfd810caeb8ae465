import { z } from 'zod';
import { namedEnum } from '../platform/operation/named-enums';
import { text, uuid } from '../platform/operation/vocabulary';
import { checkReport } from './language/check-definition';
import type { Issue } from './language/issue';
import { reportSchema } from './language/limits';

/* Fields that several report operations share. */

export const reportId = uuid.meta({ description: 'Id of the report, or of a template.' });

/**
 * Returns the issues of a definition or of filters that are not an object. The issues say how to repair the value.
 */
const issuesOf = (definition: unknown, requestFilters?: unknown): readonly Issue[] => {
  const input = { definition, requestFilters, datasets: new Map(), now: new Date(), merchantZone: 'UTC' };
  const checked = checkReport(input);
  return checked.ok ? [] : checked.issues;
};
const emptyReport = {
  schema: reportSchema,
  title: 'none',
  blocks: [{ id: 'none', type: 'text', content_md: 'none' }],
};

/** Returns a schema for an object that keeps all its keys. Zod's own `record` would drop a key `__proto__`. */
const wholeObject = (issuesFor: (value: unknown) => readonly Issue[]) =>
  z.unknown().superRefine((value, context) => {
    if (value === undefined)
      context.addIssue({ code: 'custom', message: 'is required', params: { code: 'required' } });
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      context.addIssue({
        code: 'custom',
        message: 'must be an object',
        params: { code: 'bad_value', details: issuesFor(value) },
      });
  });
const issuesOfFilters = (value: unknown) => issuesOf(emptyReport, value);

/**
 * The definition is checked by the validator of reports instead of zod, because the validator's issues say how to
 * repair every error.
 */
export const definition = wholeObject((value) => issuesOf(value)).meta({
  type: 'object',
  description:
    'The report definition: an object with `schema`, `title`, `filters` and `blocks`. Unknown keys are refused. `report-catalog` lists ids and limits.',
});

export const filters = wholeObject(issuesOfFilters).meta({
  type: 'object',
  description:
    'Filters: `period`, `position_ids`, `interview_ids`, `include_test`, `timezone` and `where`. Each key replaces the same key of the report.',
});

/** A query string has at most 64 KiB, so a longer parameter cannot arrive. */
const maxJsonText = 60_000;

/** Returns a schema for JSON in a query parameter. */
const jsonText = (issuesFor: (value: unknown) => readonly Issue[]) =>
  text(maxJsonText).transform((sent, context): unknown => {
    try {
      return JSON.parse(sent);
    } catch {
      const code = 'bad_value';
      const details = issuesFor(sent);
      context.addIssue({ code: 'custom', message: 'must be JSON', params: { code, details } });
      return z.NEVER;
    }
  });

/** A query parameter with filters as JSON. */
export const filtersText = jsonText(issuesOfFilters);

/** A query parameter with a definition as JSON. */
export const definitionText = jsonText((value) => issuesOf(value));

/** A query parameter with a row of a block as JSON. */
export const blockRowText = text(maxJsonText).transform((sent, context): object => {
  try {
    const row: unknown = JSON.parse(sent);
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row;
  } catch {
    // A text that is not JSON gets the same message as JSON that is not an object.
  }
  context.addIssue({
    code: 'custom',
    message: 'must be a JSON object with values of dimensions',
    params: { code: 'invalid_value' },
  });
  return z.NEVER;
});

export const version = z.int().meta({ description: 'Version of the report. Every update raises it by 1.' });

export const adminUrlField = z.string().meta({ description: 'Address of the report in the console.' });

export const fieldKind = namedEnum('ReportFieldKind', ['dimension', 'measure'], 'What a field is for.', {
  dimension: 'groups and filters rows',
  measure: 'a number about rows',
});
