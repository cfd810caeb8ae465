import type { z } from 'zod';
import { ApiError, maxErrors } from '../operation/api-error';
import type { CheckFacts, Contract } from '../operation/define-operation';
import { checkText, toWireName } from './check-text';
import { parseInput } from './parse-input';
import { parseJson } from './parse-json';

/** The input of a request before the operation's contract parses it. */
export type SentInput = {
  input: unknown;
  merchantId: string | null;
  /** An error of the input as a whole. If it is set, nothing else is checked. */
  error?: ApiError;
  /** Errors of single fields, in addition to those that the contract finds. */
  known?: readonly ApiError[];
  isUnreadable?: boolean;
};

/** Reads the query parameters of a GET. Each may be sent only once. */
export function readQueryInput(query: Readonly<Record<string, unknown>>): SentInput {
  const input = { ...query };
  const merchantId = toMerchantId(input['merchant_id']);
  const error = textErrorOf(input);
  if (error) return { input, merchantId, error };
  const known = Object.keys(input)
    .filter((name) => Array.isArray(input[name]))
    .slice(0, maxErrors)
    .map(
      (name) =>
        new ApiError('invalid_value', `${toWireName([name])} must be sent only once.`, toWireName([name])),
    );
  return { input, merchantId, known };
}

/** Parses the body of a POST. In the fields that `later` names, only the depth of nesting is checked here. */
export function readBodyInput(body: string, later: readonly string[]): SentInput {
  if (body.trim() === '')
    return unreadableInput(new ApiError('invalid_json', 'The body is empty. Send a JSON object.'));
  let input: unknown;
  try {
    input = parseJson(body);
  } catch (error) {
    if (error instanceof ApiError) return unreadableInput(error);
    throw error;
  }
  return readObjectInput(input, later);
}

/** Reads input that is JSON already. */
export function readObjectInput(input: unknown, later: readonly string[]): SentInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return unreadableInput(new ApiError('invalid_json', 'The body must be a JSON object.'), input);
  const merchantId = toMerchantId(Reflect.get(input, 'merchant_id'));
  const error = textErrorOf(input, later);
  return error ? { input, merchantId, error } : { input, merchantId };
}

/** Parses the input with the operation's contract. */
export const parseSent = <Input extends z.ZodType>(
  operation: Contract<Input>,
  { input, error, known }: SentInput,
  facts?: CheckFacts,
) => (error ? { error } : parseInput(operation, input, facts, known));

/** Returns the input of a body that could not be read. */
export const unreadableInput = (error: ApiError, input?: unknown): SentInput => ({
  input,
  merchantId: null,
  error,
  isUnreadable: true,
});

function textErrorOf(input: unknown, later?: readonly string[]): ApiError | undefined {
  try {
    checkText(input, later);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Returns the `merchant_id` of the input, which the first statement of a transaction checks. That statement ignores
 * it for callers that cannot choose a merchant. A value that is not a string becomes '', which the statement rejects.
 */
const toMerchantId = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value.replaceAll('\0', '') : '';
