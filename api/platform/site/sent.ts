import type { Request } from 'express';
import { checkText } from '../http/check-text';

/**
 * The data of a request: path parameters, query parameters, and the form of a POST with its files. If a form sends a name
 * several times, the value is a list.
 */
export type Sent = {
  params: Record<string, string>;
  query: Record<string, string>;
  form: Record<string, string | string[]>;
  files: Readonly<Record<string, Buffer>>;
};
/** Reads the data of a request. Throws 422 if it contains characters that no field may contain. */
export function sentWith(request: Request): Sent {
  const body: unknown = request.body;
  const form = { ...(typeof body === 'object' ? body : {}) } as Sent['form'];
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query))
    if (typeof value === 'string') query[name] = value;
  checkText(form, [], 'The form');
  checkText(query, [], 'The address');
  const files = (request.res?.locals['files'] ?? {}) as Sent['files'];
  return { params: request.params as Record<string, string>, query, form, files };
}

/** Returns the trimmed text of a form field, or '' if the field is missing. */
export const textOf = ({ form }: Pick<Sent, 'form'>, name: string): string => {
  const value = form[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Returns all values of a form field that can occur several times. */
export const listOf = ({ form }: Pick<Sent, 'form'>, name: string): string[] => {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
};
