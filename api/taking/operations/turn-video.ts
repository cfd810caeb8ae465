import { z } from 'zod';
import { defineOperation, fileReply } from '../../platform/operation/define-operation';
import { uuid } from '../../platform/operation/vocabulary';
import { readTurnVideo } from '../speech';

export const turnVideo = defineOperation({
  name: 'turn-video',
  caller: 'candidate',
  method: 'GET',
  summary: 'Watch a turn',
  description: `Returns the video in which a figure speaks the turn to answer now, an MP4 file of at most 32 MiB. Figure and voice are generated
by AI, and the file says so in its metadata (\`DigitalSourceType\`). It is a 204 if the turn has no video (\`has_video\`).`,
  input: z.object({ turn_id: uuid.meta({ description: 'Id of the turn.' }) }),
  example: { turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10' },
  reply: fileReply,
  replyExample: Buffer.from('ftyp'),
  replyType: 'video/mp4',
  statuses: [204, 404],
  handle: async ({ input: { turn_id }, caller }, deps) =>
    (await readTurnVideo(deps, caller, turn_id.toLowerCase())) ?? Buffer.alloc(0),
});
