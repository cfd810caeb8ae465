import { z } from 'zod';
import type { RecordingSubject } from '../../../db/taking/recordings';
import { defineOperation } from '../../platform/operation/define-operation';
import { optionalField, uuid } from '../../platform/operation/vocabulary';
import { recordingKind, recordingType } from '../recording-fields';
import { createRecording } from '../recordings';

const input = z
  .object({
    turn_id: optionalField(uuid).meta({ description: 'Id of the turn that the recording answers.' }),
    kind: optionalField(recordingKind),
    media_type: recordingType,
    restart: z.boolean().default(false).meta({
      description: 'True discards an open recording that has parts, to record again from the beginning.',
    }),
  })
  .superRefine(({ turn_id, kind }, context) => {
    if ((turn_id === undefined) !== (kind === undefined)) return;
    const code = turn_id === undefined ? 'required' : 'conflicting_fields';
    const message = 'Send either turn_id or kind';
    context.addIssue({ code: 'custom', path: kind === undefined ? [] : ['kind'], message, params: { code } });
  });

export const recordingCreate = defineOperation({
  name: 'recording-create',
  caller: 'candidate',
  method: 'POST',
  summary: 'Create a recording',
  description: `Creates a recording of a turn, of the session or of the introduction, whose bytes follow with \`recording-part\`. A turn has one
open recording: the same call again returns it with the parts that are stored, so an upload that broke off can go on. Another \`media_type\` or
\`restart\` discards it and creates a new one; what is there of a session is kept.

For 10 minutes after the attempt has ended, a recording of the session that has a part goes on, and one can be created if none is complete.

A turn that is not of this attempt is a 404. A 409 says that the turn is answered, the attempt has ended, or its recordings have 200 MiB, or 400 MiB with those that were discarded.`,
  input,
  example: { turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10', media_type: 'video/webm' },
  reply: z.object({
    recording_id: z.string().meta({ description: 'Id of the recording.' }),
    part_bytes: z.int().meta({ description: 'The most bytes of a part.' }),
    remaining_bytes: z
      .int()
      .meta({ description: 'How many more bytes the recordings of this attempt can have.' }),
    stored_parts: z
      .array(z.int().meta({ description: 'Number of a part.' }))
      .meta({ description: 'The parts that are stored already, in order.' }),
  }),
  replyExample: {
    recording_id: '01a20b1e-5d10-7c3a-9e42-0b7f5a1c8d21',
    part_bytes: 1_048_576,
    remaining_bytes: 209_715_200,
    stored_parts: [],
  },
  statuses: [404, 409],
  handle: ({ input: { media_type, restart, ...sent }, caller }, deps) =>
    createRecording(deps, caller, { subject: toSubject(sent), mediaType: media_type, restart }),
});

const toSubject = ({ turn_id, kind }: Pick<z.output<typeof input>, 'turn_id' | 'kind'>): RecordingSubject =>
  turn_id === undefined ? { kind: kind ?? 'session' } : { kind: 'turn', turnId: turn_id };
