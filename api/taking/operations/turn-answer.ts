import { z } from 'zod';
import type { GivenAnswer } from '../../../db/taking/attempts';
import { defineOperation } from '../../platform/operation/define-operation';
import { optionalField, requiredText, uuid } from '../../platform/operation/vocabulary';
import { attempt, attemptExample } from '../attempt-fields';
import { answerTurn } from '../take-interview';

const answerFields = ['text', 'choice', 'recording_id', 'seen'] as const;

const input = z
  .object({
    turn_id: uuid.meta({ description: 'Id of the turn.' }),
    text: optionalField(requiredText(20_000)).meta({ description: 'The answer as text.' }),
    choice: optionalField(requiredText(20_000)).meta({ description: 'One of the `choices` of the turn.' }),
    recording_id: optionalField(uuid).meta({ description: 'Id of a completed recording of this turn.' }),
    seen: optionalField(z.literal(true, 'must be true')).meta({
      description:
        'True: the candidate goes on. For turns without an answer, and to skip one that is not required.',
    }),
    duration_ms: optionalField(z.int().min(0).max(7_200_000)).meta({
      description: 'How long the candidate took, in milliseconds.',
    }),
  })
  .superRefine((sent, context) => {
    const [first, ...others] = answerFields.filter((field) => sent[field] !== undefined);
    const code = first === undefined ? 'required' : 'conflicting_fields';
    if (first !== undefined && others.length === 0) return;
    const message = `Send exactly one of these: ${answerFields.join(', ')}`;
    context.addIssue({ code: 'custom', path: others.slice(0, 1), message, params: { code } });
  });

export const turnAnswer = defineOperation({
  name: 'turn-answer',
  caller: 'candidate',
  method: 'POST',
  summary: 'Answer a turn',
  description: `Stores the answer of a turn and returns the attempt with the next turn. Send exactly one of \`text\`, \`choice\`,
\`recording_id\` and \`seen\`.

The same call again returns the same. Another answer for an answered turn is a 409, as is an answer after the deadline. A turn of another attempt
or candidate is a 404, like an unknown one. If the next turn has to be decided first, the call takes up to 12 seconds, and the reply may have no \`turn\` but
\`waiting_ms\`.`,
  input,
  example: { turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10', text: 'A payment service that I rebuilt.' },
  reply: attempt,
  replyExample: attemptExample,
  statuses: [404, 409, 410],
  handle: ({ input: { turn_id, ...sent }, caller }, deps) =>
    answerTurn(deps, caller, turn_id.toLowerCase(), toAnswer(sent)),
});

function toAnswer(sent: Omit<z.output<typeof input>, 'turn_id'>): GivenAnswer {
  const recordingId = sent.recording_id ?? null;
  const text = sent.text ?? sent.choice ?? null;
  const durationMs = sent.duration_ms ?? null;
  if (recordingId !== null) return { kind: 'recording', text, recordingId, durationMs };
  const kind = sent.text === undefined ? (sent.choice === undefined ? 'seen' : 'choice') : 'text';
  return { kind, text, recordingId, durationMs };
}
