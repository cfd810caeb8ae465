import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { liveConnectionFor } from '../live-place';

export const liveToken = defineOperation({
  name: 'live-token',
  caller: 'candidate',
  method: 'GET',
  summary: 'Get a token for the live conversation',
  description: `Returns where a page opens the WebSocket of the live conversation, and a token that opens it within five minutes. Get a new
one for each connection. An attempt has one connection: a later one ends those before it. Offer \`live.v1\` and the token as
subprotocols. \`live\` is null if the deployment has no live conversations.

The upgrade is refused with a 401 (the token is wrong or has expired), a 403 (the page is not of this portal), a 404 or 410 (the link has ended, or no
attempt with spoken questions is running) or a 503 (too many conversations, or connections of this attempt): record and send the answers then.

Binary messages are 964 bytes of sound and go to the server only: the number of the frame (four bytes, little-endian, rising), then 20 ms of PCM16 with 24,000 samples a second.
All others are JSON objects with a \`type\`.

- The client sends \`hello\` (\`attempt\`, \`turn_id\`, \`is_heard\` and \`has_spoken\` of the last turn or null and false, \`sequence\` of the next frame) first, then \`played\`
  (\`turn_id\`, \`ms\`, \`is_end\`, and \`has_spoken\` if the answer had begun before the turn was said again), \`barge\` (\`turn_id\`, \`heard_ms\`), \`answering\` (\`turn_id\`, \`recording_id\` of \`recording-create\`), \`done\` (\`turn_id\`), \`moment\`,
  \`refresh\` after another operation has changed the attempt, and \`lower\` (\`step\`: \`record\` or \`type\`, \`why\`).
- The server sends \`ready\`, \`state\` (\`speaks\`, \`listens\` or \`thinks\`), \`turn\` (\`attempt\`), \`say\` (\`turn_id\`, \`text\`, \`has_speech\`: play \`turn-speech\`), \`caption\`
  (\`turn_id\`, \`text\`), \`answered\`, \`complete\` (complete the recording of \`turn_id\`), \`withdrawn\` (\`turn_id\` is open again), \`send_recording\` (complete the recording of
  \`turn_id\`, call \`turn-answer\`, send \`refresh\`), \`hm\` and \`lower\` (\`step\`, \`why\`: go on by recording and sending).

It closes the socket with 1000 at the end, 1008 or 1009 after a message that breaks these rules, 1012 to connect again, 4001 for a later connection and 4003 if the link has ended.`,
  input: z.object({}),
  example: {},
  reply: z.object({
    live: z
      .object({
        url: z.string().meta({ description: 'The address of the WebSocket.' }),
        token: z.string().meta({ description: 'The second subprotocol to offer.' }),
      })
      .nullable()
      .meta({ description: 'Null if the deployment has no live conversations.' }),
  }),
  replyExample: { live: { url: 'wss://live.example.com', token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' } },
  statuses: [],
  handle: async ({ caller }, deps) => ({ live: await liveConnectionFor(deps, caller) }),
});
