import { z } from 'zod';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** An origin that people and clients see. It must use https unless it is on loopback. */
export const publicOrigin = z
  .url()
  .transform((value) => new URL(value))
  .refine(
    ({ pathname, search, hash }) => pathname === '/' && !search && !hash,
    'must be an origin, without a path',
  )
  .refine(
    ({ protocol, hostname }) => protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname)),
    'must be https, but on loopback',
  )
  .transform(({ origin }) => origin);
