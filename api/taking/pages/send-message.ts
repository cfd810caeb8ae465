import type { Response } from 'express';
import { sendCandidateMessage } from '../../../db/taking/surroundings';
import type { OperationDeps } from '../../deps';
import type { SentFields } from './form-input';
import { readMessage } from './message-input';
import type { MessageKind } from './message-input';
import { showVisit } from './show-visit';
import type { NoteKey, InterviewVisit } from './visit';

/**
 * Stores the message of a form and returns the note for the next page. If the message was not accepted, shows the
 * page again with the problem and returns `shown`.
 */
export async function sendMessage(
  { database }: Pick<OperationDeps, 'database'>,
  kind: MessageKind,
  { visit, sent, response }: { visit: InterviewVisit; sent: SentFields; response: Response },
): Promise<NoteKey | 'shown'> {
  const read = readMessage(kind, sent);
  if ('problem' in read) {
    showVisit(response, { ...visit, refusedMessage: { kind, problem: read.problem, sent } });
    return 'shown';
  }
  const { outcome } = await database.write(visit.caller, (trx) =>
    trx.one(sendCandidateMessage(read.message)),
  );
  return notes[outcome];
}

const notes = {
  stored: 'sent',
  same: 'sent',
  sent_before: 'sent_before',
  limit: 'message_limit',
  closed: 'error_form',
} as const;
