import { z } from 'zod';
import { defineOperation, fileReply } from '../../platform/operation/define-operation';
import { uuid } from '../../platform/operation/vocabulary';
import { readTurnSpeech } from '../speech';

export const turnSpeech = defineOperation({
  name: 'turn-speech',
  caller: 'candidate',
  method: 'GET',
  summary: 'Listen to a turn',
  description: `Returns the text of a turn as speech, an MP3 file of a few seconds. It is a 204 while there is none: the text of a
follow-up is rendered after it was asked, usually within three seconds. Turns without \`has_speech\` never have one.`,
  input: z.object({
    turn_id: uuid.meta({ description: 'Id of the turn.' }),
    sound: z.enum(['turn', 'listening']).optional().meta({
      description:
        '`turn` (the default) is the text of the turn. `listening` is a short "mm-hm" in the same voice, for a decision that takes long. It is a 204 if there is none.',
    }),
  }),
  example: { turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10' },
  reply: fileReply,
  replyExample: Buffer.from('ID3'),
  replyType: 'audio/mpeg',
  statuses: [204, 404],
  handle: async ({ input: { turn_id, sound }, caller }, deps) =>
    (await readTurnSpeech(deps, caller, turn_id.toLowerCase(), sound)) ?? Buffer.alloc(0),
});
