import { z } from 'zod';
import { namedEnum } from '../platform/operation/named-enums';
import { text, uuid } from '../platform/operation/vocabulary';

/* Fields that several report operations share. */

export const reportId = uuid.meta({ description: 'Id of the report, or of a template.' });

/** An object of which nothing is dropped, not even a key `__proto__`, as a record of zod would do. */
const wholeObject = z.unknown().superRefine((value, context) => {
  if (value === undefined)
    context.addIssue({ code: 'custom', message: 'is required', params: { code: 'required' } });
  else if (typeof value !== 'object' || value === null || Array.isArray(value))
    context.addIssue({ code: 'custom', message: 'must be an object', params: { code: 'invalid_type' } });
});

/** The language checks the definition, because it says how to repair every wrong place in it. */
export const definition = wholeObject.meta({
  type: 'object',
  description:
    'The report definition: an object with `schema`, `title`, `filters` and `blocks`. Unknown keys are refused. `report-catalog` lists ids and limits.',
});

export const filters = wholeObject.meta({
  type: 'object',
  description:
    'Filters: `period`, `position_ids`, `interview_ids`, `include_test` and `timezone`. Each key replaces the same key of the report.',
});

/** 400 ids and a period fit into a tenth of it. */
const maxFilterText = 60_000;

/** Filters in a query. */
export const filtersText = text(maxFilterText).transform((sent, context): unknown => {
  try {
    return JSON.parse(sent);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON', params: { code: 'invalid_format' } });
    return z.NEVER;
  }
});

export const version = z.int().meta({ description: 'Version of the report. Every update raises it by 1.' });

export const adminUrl = z.string().meta({ description: 'Address of the report in the console.' });

export const fieldKind = namedEnum('ReportFieldKind', ['dimension', 'measure'], 'What a field is for.', {
  dimension: 'groups and filters rows',
  measure: 'a number about rows',
});
