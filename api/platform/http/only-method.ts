import type { RequestHandler } from 'express';
import { ApiError } from '../operation/api-error';

/** Replies to other methods with 405 and an `Allow` header, and to OPTIONS with an `Allow` header. */
export function onlyMethod(...methods: ('GET' | 'POST' | 'PUT')[]): RequestHandler {
  const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...taken, 'OPTIONS'].join(', ');
  return (request, response, next) => {
    if (taken.includes(request.method)) return next();
    response.setHeader('allow', allow);
    if (request.method !== 'OPTIONS')
      throw new ApiError('method_not_allowed', `This address accepts only ${allow}.`);
    response.status(200).end();
  };
}
