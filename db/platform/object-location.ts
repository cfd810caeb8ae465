import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readUrl } from './read-url';

export type ObjectStoreLocation =
  | { kind: 'folder'; folder: string }
  | { kind: 's3'; bucket: string; region: string; endpoint: string | undefined };

/** The error message for an invalid object store variable. */
export const objectStoreHint =
  'must be file:///folder or s3://bucket?region=eu-central-1, which may end in &endpoint=https://host';

/** The variable that selects where files are stored: a folder (as a URL or an absolute path) or a bucket. */
export const objectStoreLocation = z.string().transform((value, context): ObjectStoreLocation => {
  const location = readLocation(value);
  if (location) return location;
  context.addIssue({ code: 'custom', message: objectStoreHint });
  return z.NEVER;
});

function readLocation(value: string): ObjectStoreLocation | undefined {
  if (path.isAbsolute(value)) return { kind: 'folder', folder: path.resolve(value) };
  const url = readUrl(value);
  if (!url) return undefined;
  if (url.protocol === 'file:') return readFolder(url);
  return url.protocol === 's3:' ? readBucket(url) : undefined;
}

function readFolder(url: URL): ObjectStoreLocation | undefined {
  if (url.search || url.hash) return undefined;
  try {
    return { kind: 'folder', folder: path.resolve(fileURLToPath(url)) };
  } catch {
    // The URL names a file on another machine or contains an escaped slash.
    return undefined;
  }
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const regionName = /^[a-z0-9-]+$/;

function readBucket(url: URL): ObjectStoreLocation | undefined {
  const { region = '', endpoint, ...unknown } = Object.fromEntries(url.searchParams);
  const isPlain =
    bucketName.test(url.host) &&
    ['', '/'].includes(url.pathname) &&
    !url.username &&
    !url.password &&
    !url.hash &&
    Object.keys(unknown).length === 0;
  if (!isPlain || !regionName.test(region)) return undefined;
  if (endpoint === undefined) return { kind: 's3', bucket: url.host, region, endpoint };
  const origin = originOf(endpoint);
  return origin === undefined ? undefined : { kind: 's3', bucket: url.host, region, endpoint: origin };
}

/** Returns undefined when the address contains more than an origin, for instance a password. */
function originOf(address: string): string | undefined {
  const url = readUrl(address);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
}
