import type { Request } from 'express';
import { checkText } from '../http/check-text';
import { filesOf } from '../http/upload-body';

/**
 * The data of a request: path parameters, query parameters, and the form of a POST with its files. If a form sends a name
 * several times, the value is a list.
 */
export type RequestData = {
  params: Record<string, string>;
  query: Record<string, string>;
  form: Record<string, string | string[]>;
  files: ReturnType<typeof filesOf>;
};
/** Reads the data of a request. Throws 422 if it contains characters that no field may contain. */
export function readSentData(request: Request): RequestData {
  const body: unknown = request.body;
  const form = { ...(typeof body === 'object' ? body : {}) } as RequestData['form'];
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.query))
    if (typeof value === 'string') query[name] = value;
  checkText(form, [], 'The form');
  checkText(query, [], 'The address');
  const files = request.res ? filesOf(request.res) : {};
  return { params: request.params as Record<string, string>, query, form, files };
}

/** Returns the trimmed text of a form field, or '' if the field is missing. */
export const sentText = ({ form }: Pick<RequestData, 'form'>, name: string): string => {
  const value = form[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Returns all values of a form field that can occur several times. */
export const sentValues = ({ form }: Pick<RequestData, 'form'>, name: string): string[] => {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
};
