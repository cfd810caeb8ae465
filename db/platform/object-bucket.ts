import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ByteRange, ObjectBody, OpenedObject } from './object-body';
import type { ObjectStoreLocation } from './object-location';
import { contentDispositionOf } from './object-path';

/** How many files `deletePrefix` lists and deletes at the same time. */
const filesOfPage = 20;

/**
 * Stores files in a bucket of S3 or of a server with the same protocol. Credentials come from the SDK's default
 * chain: variables such as AWS_ACCESS_KEY_ID, the shared files, or the machine's role.
 */
export function openBucket({ bucket, region, endpoint }: ObjectStoreLocation & { kind: 's3' }) {
  const client = new S3Client({
    region,
    // Servers other than S3 seldom have a host name for each bucket, so the bucket is part of the path.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Some servers other than S3 do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
  const remove = async (key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  return {
    /** Signs an address. With fixed credentials this makes no network request. */
    signUrl: (objectPath: string, expiresInSeconds: number, contentType: string | undefined) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: objectPath,
          ResponseContentDisposition: contentDispositionOf(objectPath),
          ResponseCacheControl: 'private, no-cache',
          ...(contentType === undefined ? {} : { ResponseContentType: contentType }),
        }),
        { expiresIn: expiresInSeconds },
      ),

    put: async (objectPath: string, body: ObjectBody, contentType: string): Promise<void> => {
      const sent =
        body instanceof Uint8Array ? { Body: body } : { Body: body.stream, ContentLength: body.sizeBytes };
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: objectPath, ContentType: contentType, ...sent }),
      );
    },

    /** Opens a file or a range of it, or returns undefined when the file does not exist. */
    get: async (objectPath: string, range?: ByteRange): Promise<OpenedObject | undefined> => {
      try {
        const { Body, ContentLength } = await client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: objectPath,
            ...(range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {}),
          }),
        );
        if (!(Body instanceof Readable) || ContentLength === undefined)
          throw new Error('The object store returned a file without a body or a length');
        return { stream: Body, sizeBytes: ContentLength };
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    /** Deletes a file if it exists. */
    delete: remove,

    /**
     * Deletes all files whose paths begin with `prefix`. Sends one request per file, because some servers do not
     * accept the checksum that S3 requires for a request that deletes many files.
     */
    deletePrefix: async (prefix: string): Promise<void> => {
      for (let next: string | undefined, isDone = false; !isDone; isDone = next === undefined) {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            MaxKeys: filesOfPage,
            ContinuationToken: next,
          }),
        );
        const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
        await Promise.all(keys.map(remove));
        next = page.NextContinuationToken;
      }
    },
  };
}
