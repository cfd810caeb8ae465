import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { questionVideoId, videoReportedSignalName } from '../../workflows/ids';
import type { OperationDeps } from '../deps';
import { refundPoint } from '../platform/http/address-limit';
import { bodyBytesReader } from '../platform/http/body-bytes';
import { isDigest } from '../platform/http/is-digest';
import { ApiError } from '../platform/operation/api-error';

const readBody = bodyBytesReader(65_536);
const signalMs = 4_000;

const report = z.object({
  event_type: z.enum(['avatar_video.success', 'avatar_video.fail']),
  event_data: z.object({ callback_id: z.uuid() }),
});

/**
 * `POST /hooks/heygen`: wakes the workflow of the video that HeyGen reports. Nothing else in the report is used, because
 * the workflow asks HeyGen itself. A lost report only delays the video.
 */
export const createHeyGenHook =
  ({ temporal, secret }: Pick<OperationDeps, 'temporal'> & { secret: string | undefined }): RequestHandler =>
  async (request, response) => {
    if (secret === undefined)
      throw new ApiError('not_configured', 'Videos are not reported here. Set HEYGEN_WEBHOOK_SECRET.');
    const body = await readBody(request, response);
    if (!isSigned(request.get('signature'), body, secret))
      throw new ApiError('signature_invalid', 'The signature is not valid.');
    refundPoint(request);
    const { data } = report.safeParse(parseJson(body.toString()));
    // The workflow may have ended, for example because the video is reported twice. It asks again by itself if the
    // signal is lost.
    if (data)
      await temporal
        .withDeadline(Date.now() + signalMs, () =>
          temporal.workflow
            .getHandle(questionVideoId(data.event_data.callback_id.toLowerCase()))
            .signal(videoReportedSignalName),
        )
        .catch(() => undefined);
    response.status(204).end();
  };

/** Verifies HeyGen's signature: HMAC-SHA256 of the body, in hexadecimal digits. */
function isSigned(signature: string | undefined, body: Buffer, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return isDigest(signature, { encoding: 'hex', expected });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
