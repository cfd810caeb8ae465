import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { ObjectStore } from '../../../db/platform/object-store';
import { ApiError } from '../../platform/operation/api-error';
import type { InterviewVisit } from './visit';

/**
 * Sends the video of the open turn, or the range of it that a player asks for. The address names the turn, so that a
 * browser never shows the kept video of another turn.
 */
export async function sendQuestionVideo(
  { objects }: { objects: Pick<ObjectStore, 'get'> },
  request: Request,
  response: Response,
  { attempt }: InterviewVisit,
): Promise<void> {
  const turn = attempt?.turn;
  const { path, size_bytes: size } = (turn?.turn_id === request.query['turn_id'] && turn?.video) || {};
  if (path === undefined || size === undefined) throw noVideo();
  const ranges = request.range(size);
  if (ranges === -1) {
    response.status(416).set('content-range', `bytes */${size}`).end();
    return;
  }
  const [range] = Array.isArray(ranges) && ranges.length === 1 ? ranges : [];
  const opened = await objects.get(path, range && { start: range.start, end: range.end + 1 });
  if (!opened) throw noVideo();
  if (range) response.status(206).set('content-range', `bytes ${range.start}-${range.end}/${size}`);
  response.set({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=600',
    'content-length': String(opened.sizeBytes),
    'content-type': 'video/mp4',
  });
  // A player that has enough closes the connection.
  await pipeline(opened.stream, response).catch(() => undefined);
}

const noVideo = () => new ApiError('not_found', 'This question has no video.');
