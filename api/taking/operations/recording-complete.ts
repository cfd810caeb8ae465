import { z } from 'zod';
import { partsLimit } from '../../../db/taking/recordings';
import { defineOperation } from '../../platform/operation/define-operation';
import { uuid } from '../../platform/operation/vocabulary';
import { recordingType } from '../recording-fields';
import { completeRecording } from '../recordings';
import { transcribeLiveAnswer } from '../speech';

export const recordingComplete = defineOperation({
  name: 'recording-complete',
  caller: 'candidate',
  method: 'POST',
  summary: 'Complete a recording',
  description: `Says that all parts are sent. The recording can then be the answer of its turn, with \`turn-answer\`. Call it again if the reply is lost.

A 409 lists the parts that are missing in \`missing_parts\` of \`details\`. A file that is not of the \`media_type\` of the recording, whatever its name,
is a 422 and is discarded. A \`duration_ms\` more than 5 seconds above the \`max_seconds\` of the turn is a 422 too.`,
  input: z.object({
    recording_id: uuid.meta({ description: 'Id of the recording.' }),
    parts: z.int().min(1).max(partsLimit).meta({ description: 'How many parts the recording has.' }),
    duration_ms: z
      .int()
      .min(0)
      .max(7_200_000)
      .meta({ description: 'How long the recording is, in milliseconds.' }),
  }),
  example: { recording_id: '01a20b1e-5d10-7c3a-9e42-0b7f5a1c8d21', parts: 3, duration_ms: 42_000 },
  reply: z.object({
    recording_id: z.string().meta({ description: 'Id of the recording.' }),
    media_type: recordingType,
  }),
  replyExample: { recording_id: '01a20b1e-5d10-7c3a-9e42-0b7f5a1c8d21', media_type: 'video/webm' },
  statuses: [404, 409],
  handle: async ({ input: { recording_id, parts, duration_ms }, caller }, deps) => {
    const completed = { recordingId: recording_id, parts, durationMs: duration_ms };
    const reply = await completeRecording(deps, caller, completed);
    await transcribeLiveAnswer(deps, caller, recording_id);
    return reply;
  },
});
