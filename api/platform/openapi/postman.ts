import { z } from 'zod';
import type { Operation } from '../operation/define-operation';
import { tags } from '../operation/tags';
import { queryParametersOf } from './document';
import { introduction } from './introduction';

/** Names the version of the format. Postman does not load the address. */
const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Builds a Postman collection (v2.1) with a folder for each tag and a request for each operation, which has the values of the
 * operation's example. The variables `token` and `merchant_id` are empty.
 */
export function buildPostmanCollection(operations: readonly Operation[], baseUrl: string): object {
  const inText = (text: string) =>
    text.replaceAll('{base_url}', baseUrl).replaceAll('{origin}', new URL(baseUrl).origin);
  return {
    info: {
      name: 'Interview and Coaching Platform API',
      description: inText(introduction),
      schema: format,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: baseUrl, type: 'string' },
      { key: 'token', value: '', type: 'string' },
      { key: 'merchant_id', value: '', type: 'string' },
    ],
    item: Object.entries(tags).map(([tag, description]) => ({
      name: tag,
      description,
      item: operations
        .filter((operation) => operation.tag === tag)
        .map((operation) => ({
          name: operation.name,
          request: { ...requestOf(operation), description: inText(operation.description) },
          response: [],
        })),
    })),
  };
}

function requestOf(operation: Operation): object {
  const raw = `{{base_url}}/${operation.name}`;
  const url = { raw, host: ['{{base_url}}'], path: [operation.name] };
  if (operation.method === 'GET') {
    const query = queryParameters(operation);
    const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
    return {
      method: 'GET',
      header: [],
      url: { ...url, raw: [raw, ...(sent.length > 0 ? [sent.join('&')] : [])].join('?'), query },
    };
  }
  return {
    method: 'POST',
    header: [
      { key: 'Content-Type', value: 'application/json' },
      ...(operation.isRead ? [] : [{ key: 'Idempotency-Key', value: '{{$guid}}' }]),
    ],
    url,
    body: {
      mode: 'raw',
      raw: JSON.stringify(operation.example, null, 2),
      options: { raw: { language: 'json' } },
    },
  };
}

/** Returns the query. What the example leaves out is switched off, as is the merchant, which only service keys name. */
function queryParameters(operation: Operation) {
  const example = operation.example as Record<string, unknown>;
  const { shape } = queryParametersOf(operation);
  const own = Object.entries(shape).map(([key, schema]) => ({
    key,
    value: key in example ? String(example[key]) : '',
    description: z.globalRegistry.get(schema)?.description ?? '',
    disabled: !(key in example),
  }));
  const merchant = {
    key: 'merchant_id',
    value: '{{merchant_id}}',
    description: 'For service keys.',
    disabled: true,
  };
  return 'merchant_id' in shape ? own : [...own, merchant];
}
