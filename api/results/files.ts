import type { RequestHandler, Response } from 'express';
import { contentDispositionOf } from '../../db/platform/object-path';
import type { ObjectStore, StoredFile } from '../../db/platform/object-store';
import { ApiError } from '../platform/operation/api-error';

/**
 * A paused player keeps its connection open. If no byte was sent for this time, the connection is closed and the
 * player must request the file again.
 */
const idleMs = 60_000;

/**
 * `GET /files/<path>?file_token=`: sends a file of the local object store, or one range of it, to anyone who has an
 * address from `ObjectStore.signUrl`. If the store is a bucket, redirects to the bucket's own address. The address is
 * compared as it was sent and never decoded, so only one spelling works. All other addresses, and expired ones, get
 * the same 404.
 */
export const createStoredFileEndpoint =
  ({ objects }: { objects: Pick<ObjectStore, 'findSigned'> }): RequestHandler =>
  async (request, response, next) => {
    const file = await objects
      .findSigned(request.path.slice(1), request.query['file_token'])
      .catch((error: unknown) => {
        request.log.error({ err: error }, 'failed to read the object store');
        throw new ApiError('service_unavailable', 'The file cannot be read at the moment. Try again later.');
      });
    if (!file) throw noSuchFile();
    if ('redirectTo' in file) {
      response.set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      response.redirect(302, file.redirectTo);
      return;
    }
    response.setTimeout(idleMs);
    sendStoredFile(response, file, next);
  };

const noSuchFile = () =>
  new ApiError('not_found', 'This file does not exist, or its link has expired. Request a new link.');

function sendStoredFile(
  response: Response,
  { root, path, contentType }: StoredFile,
  next: (error: ApiError) => void,
) {
  response.set({
    'content-type': contentType,
    'content-disposition': contentDispositionOf(path),
    'cache-control': 'private, no-cache',
    // If the file is opened directly, the browser creates a page with a player for it. Chromium's player can read the
    // file only with `allow-same-origin`, because the page would otherwise count as another origin. Scripts never
    // run.
    'content-security-policy':
      "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-same-origin",
    // Allows merchants' own pages to play the file.
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  });
  response.sendFile(path, { root, dotfiles: 'deny', cacheControl: false }, (error?: SendError) => {
    if (!error) return;
    // The client disconnected, or the disk failed while the file was being sent.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const name of ['content-type', 'content-disposition', 'last-modified']) response.removeHeader(name);
    next(toReply(error));
  });
}

type SendError = Error & { status?: number };

function toReply({ status }: SendError): ApiError {
  if (status === 416)
    return new ApiError('range_not_satisfiable', 'The range starts after the end of the file.', 'Range');
  if (status === 412)
    return new ApiError('precondition_failed', 'The file has changed since it was last read.');
  return status === 404
    ? noSuchFile()
    : new ApiError('service_unavailable', 'The file cannot be read at the moment. Try again later.');
}
