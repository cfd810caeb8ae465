import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectStoreLocation } from './object-location';
import type { ObjectBody } from './object-body';

/**
 * Stores files in a bucket of S3 or of a server that speaks its protocol. Credentials come from the SDK's default
 * chain: variables such as AWS_ACCESS_KEY_ID, the shared files, or the machine's role.
 */
export function openBucket({ bucket, region, endpoint }: ObjectStoreLocation & { kind: 's3' }) {
  const client = new S3Client({
    region,
    // Servers other than S3 seldom have one host name per bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Some other servers do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
  return {
    /** Signs locally. With fixed credentials this makes no network request. */
    signUrl: (objectPath: string, expiresInSeconds: number, contentType: string | undefined) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: objectPath,
          ResponseContentDisposition: 'inline',
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
  };
}
