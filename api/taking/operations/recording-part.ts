import { z } from 'zod';
import { partLimitBytes, partsLimit } from '../../../db/taking/recordings';
import { defineOperation } from '../../platform/operation/define-operation';
import { queryInteger, uuid } from '../../platform/operation/vocabulary';
import { storeRecordingPart } from '../recordings';

export const recordingPart = defineOperation({
  name: 'recording-part',
  caller: 'candidate',
  method: 'PUT',
  summary: 'Store a part of a recording',
  description: `Stores up to 1 MiB of a recording. Parts are numbered from 1 and can be sent in any order. The same part again is fine; other bytes for
a part that is stored are a 409, as is a part after the attempt has ended or of a completed recording. After the deadline, only recordings that
have a part already take more.

After a 503 nothing is lost: send the part again.`,
  input: z.object({
    recording_id: uuid.meta({ description: 'Id of the recording.' }),
    part: queryInteger(1, partsLimit).meta({ description: 'Number of the part, from 1.' }),
  }),
  example: { recording_id: '01a20b1e-5d10-7c3a-9e42-0b7f5a1c8d21', part: '1' },
  reply: z.object({
    recording_id: z.string().meta({ description: 'Id of the recording.' }),
    part: z.int().meta({ description: 'Number of the part.' }),
    bytes: z.int().meta({ description: 'Bytes of the part.' }),
  }),
  replyExample: { recording_id: '01a20b1e-5d10-7c3a-9e42-0b7f5a1c8d21', part: 1, bytes: 1_048_576 },
  statuses: [404, 409],
  callsPerMinute: 600,
  maxBytes: partLimitBytes,
  handle: ({ input: { recording_id, part }, bytes, caller }, deps) =>
    storeRecordingPart(deps, caller, { recordingId: recording_id, part, bytes }),
});
