import { buffer } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { ByteRange, ObjectBody, OpenedObject } from './object-body';
import { openBucket } from './object-bucket';
import { openObjectFolder } from './object-folder';
import type { ObjectStoreLocation } from './object-location';
import { assertObjectPath, assertObjectPrefix, contentTypeOf, isObjectPath } from './object-path';
import { openKeySet } from './tokens';

/** A file to which a signed address leads, if the API serves the files itself. */
export type StoredFile = { root: string; path: string; contentType: string };

/** The bucket's own signed address of a file, to which the API redirects. */
type BucketAddress = { redirectTo: string };

export type ObjectStore = {
  /**
   * Returns an address at which anyone can read this one file until the address expires, by default after 15 minutes.
   * Does not check that the file exists. `contentType` replaces the content type of the file's extension. Throws on
   * an invalid path (db/platform/object-path.ts).
   */
  signUrl: (path: string, options?: { expiresInSeconds?: number; contentType?: string }) => Promise<string>;
  /**
   * Stores a file and replaces an existing one. The extension of the name determines the content type. Throws on an
   * invalid path or an extension that the store does not accept.
   */
  put: (path: string, body: ObjectBody) => Promise<void>;
  /**
   * Opens a file, or a range that lies within it, or returns undefined when the file does not exist. The caller must
   * read or destroy the stream. Throws on an invalid path.
   */
  get: (path: string, range?: ByteRange) => Promise<OpenedObject | undefined>;
  /** Deletes a file if it exists. Throws on an invalid path. */
  delete: (path: string) => Promise<void>;
  /**
   * Deletes all files of a result or of an attempt, or only the files of an attempt whose names have a given
   * beginning. Throws on any other prefix (`assertObjectPrefix`), so a mistake cannot delete the files of a merchant.
   */
  deletePrefix: (prefix: string) => Promise<void>;
  /**
   * Finds the file, or the address in the bucket, to which an address from `signUrl` leads. `path` and `token` are
   * parts of that address. Returns undefined for any other path or token. Throws the system error when the store
   * cannot be read.
   */
  findSigned: (path: string, token: unknown) => Promise<StoredFile | BucketAddress | undefined>;
};

/**
 * Opens the platform's file store. Addresses of files in S3 lead to S3 itself if they last at most a week. Other
 * addresses lead to the API, which redirects to S3. If the store is a folder, the API serves the files. Each address of
 * the API contains a token that names one file and is signed with the link keys.
 */
export async function createObjectStore(
  location: ObjectStoreLocation,
  linkKeys: { keys: JWK[] },
  publicOrigin: string,
): Promise<ObjectStore> {
  const tokens = await openFileTokens(linkKeys, publicOrigin);
  return location.kind === 's3'
    ? bucketStore(location, tokens, publicOrigin)
    : folderStore(location.folder, tokens, publicOrigin);
}

/** Reads a small file as a whole. Returns undefined if it does not exist. */
export async function readObject(
  objects: Pick<ObjectStore, 'get'>,
  path: string,
): Promise<Buffer | undefined> {
  const found = await objects.get(path);
  return found && buffer(found.stream);
}

const lifetimeSeconds = 15 * 60;
/** The longest time for which S3 signs an address. */
const maxBucketSeconds = 7 * 24 * 3_600;

type SignedFile = { path: string; expiresInSeconds: number; contentType: string | undefined };

/** Signs an address at which the API serves a file or redirects to it. */
async function signAtApi(
  tokens: FileTokens,
  publicOrigin: string,
  { path, expiresInSeconds, contentType }: SignedFile,
): Promise<string> {
  const token = await tokens.sign(path, expiresInSeconds, contentType);
  return `${publicOrigin}/files/${path}?${new URLSearchParams({ file_token: token }).toString()}`;
}

function folderStore(folder: string, tokens: FileTokens, publicOrigin: string): ObjectStore {
  const files = openObjectFolder(folder);
  return {
    signUrl: async (path, { expiresInSeconds = lifetimeSeconds, contentType } = {}) => {
      assertObjectPath(path);
      return signAtApi(tokens, publicOrigin, { path, expiresInSeconds, contentType });
    },
    put: async (path, body) => {
      assertTaken(path);
      await files.put(path, body);
    },
    ...readsAndDeletes(files),
    findSigned: async (path, token) => {
      const claims = await tokens.open(token);
      if (claims?.sub !== path || !isObjectPath(path)) return undefined;
      const found = await files.find(path);
      return (
        found && {
          ...found,
          contentType: claims.content_type ?? contentTypeOf(path) ?? 'application/octet-stream',
        }
      );
    },
  };
}

function bucketStore(
  location: ObjectStoreLocation & { kind: 's3' },
  tokens: FileTokens,
  publicOrigin: string,
): ObjectStore {
  const bucket = openBucket(location);
  return {
    signUrl: async (path, { expiresInSeconds = lifetimeSeconds, contentType } = {}) => {
      assertObjectPath(path);
      return expiresInSeconds > maxBucketSeconds
        ? signAtApi(tokens, publicOrigin, { path, expiresInSeconds, contentType })
        : bucket.signUrl(path, expiresInSeconds, contentType);
    },
    put: async (path, body) => bucket.put(path, body, assertTaken(path)),
    ...readsAndDeletes(bucket),
    findSigned: async (path, token) => {
      const claims = await tokens.open(token);
      if (claims?.sub !== path || !isObjectPath(path)) return undefined;
      return { redirectTo: await bucket.signUrl(path, lifetimeSeconds, claims.content_type) };
    },
  };
}

type Deletable = Pick<ObjectStore, 'get' | 'delete' | 'deletePrefix'>;

/** Returns the read and delete functions of a folder or bucket, preceded by checks of the paths. */
const readsAndDeletes = (place: Deletable): Deletable => ({
  get: async (path, range) => {
    assertObjectPath(path);
    return place.get(path, range);
  },
  delete: async (path) => {
    assertObjectPath(path);
    await place.delete(path);
  },
  deletePrefix: async (prefix) => {
    assertObjectPrefix(prefix);
    await place.deletePrefix(prefix);
  },
});

/** Returns the content type of a file that may be stored, or throws. */
function assertTaken(path: string): string {
  assertObjectPath(path);
  const contentType = contentTypeOf(path);
  if (contentType === undefined) throw new Error('The object store takes no file of this ending');
  return contentType;
}

const audience = 'file';
const fileClaims = z.object({ sub: z.string(), content_type: z.string().optional(), exp: z.number() });
type FileTokens = Awaited<ReturnType<typeof openFileTokens>>;

async function openFileTokens(linkKeys: { keys: JWK[] }, issuer: string) {
  const keys = await openKeySet(linkKeys, 'LINK_SIGNING_KEYS');
  return {
    sign: (path: string, expiresInSeconds: number, contentType: string | undefined) => {
      const now = Math.floor(Date.now() / 1000);
      return keys.sign(
        new SignJWT(contentType === undefined ? {} : { content_type: contentType })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(path)
          .setExpirationTime(now + expiresInSeconds),
      );
    },
    /** Returns the claims of a token, or undefined if the token has expired or was not signed for a file. */
    open: async (token: unknown) => {
      if (typeof token !== 'string') return undefined;
      const payload = await keys.verify(token, { issuer, audience }).catch(() => undefined);
      return fileClaims.safeParse(payload).data;
    },
  };
}
