import type { RequestHandler } from 'express';
import { ApiError } from '../contracts/api-error';

/** 405 with `Allow` for another method; OPTIONS answers as HTTP says. */
export function onlyMethod(method: 'GET' | 'POST'): RequestHandler {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return (request, response, next) => {
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    response.setHeader('allow', allow);
    if (request.method !== 'OPTIONS') throw new ApiError(405, `Only ${allow} are allowed here`);
    response.status(200).end();
  };
}
