import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkCaller, LiveCaller } from '../../db/platform/database';
import { readObject } from '../../db/platform/object-store';
import { getAttempt } from '../../db/taking/attempts';
import { findLiveTurn } from '../../db/taking/live';
import { findTurnSpeech, listeningPath, voiceAndSpeedOf, speechPathOf } from '../../db/taking/speech';
import type { OperationDeps } from '../deps';
import { wakeAttempt } from './decide-next';
import { unknownTurn } from './take-interview';
import type { DecisionDeps } from './take-interview';

/** The speech of a follow-up is usually rendered within this time, in milliseconds, and is looked for so often. */
const renderedWithin = 1_500;
const lookEvery = 100;

/**
 * Returns the speech of a turn. If the file does not exist yet, waits a moment for that of a follow-up, which is rendered when it is
 * asked, then asks the worker for it and returns null. With `listening`, returns the short sound of
 * listening in the voice of the turn, if there is one. Throws 404 for a turn of another attempt.
 */
export async function readTurnSpeech(
  deps: DecisionDeps & Pick<OperationDeps, 'objects'>,
  caller: LiveCaller,
  turnId: string,
  sound: 'turn' | 'listening' = 'turn',
): Promise<Buffer | null> {
  const [turn] = await deps.database.query(caller, findTurnSpeech(turnId));
  if (!turn) throw unknownTurn();
  if (sound === 'listening') return (await readObject(deps.objects, listeningPath(turn))) ?? null;
  if (!voiceAndSpeedOf(turn)) return null;
  for (const endsAt = Date.now() + (turn.is_personal ? renderedWithin : 0); ; await sleep(lookEvery)) {
    const opened = await deps.objects.get(speechPathOf(turn));
    if (opened) return buffer(opened.stream);
    if (Date.now() >= endsAt) break;
  }
  await wakeAttempt(deps, { resultId: turn.result_id, attempt: turn.attempt });
  return null;
}

/** Returns the video of the open turn, or null if it has none. Throws 404 for any other turn. */
export async function readTurnVideo(
  { database, objects }: Pick<OperationDeps, 'database' | 'objects'>,
  caller: LinkCaller,
  turnId: string,
): Promise<Buffer | null> {
  const [found] = await database.query(caller, getAttempt);
  const turn = found?.attempt?.turn;
  if (turn?.turn_id !== turnId) throw unknownTurn();
  return (turn.video && (await readObject(objects, turn.video.path))) ?? null;
}

/**
 * Asks the worker for the transcript of a recording whose answer was given live, before the recording was complete. Does
 * nothing for other recordings.
 */
export async function transcribeLiveAnswer(
  deps: DecisionDeps,
  caller: LinkCaller,
  recordingId: string,
): Promise<void> {
  const [answer] = await deps.database.query(caller, findLiveTurn(recordingId));
  if (!answer) return;
  const { result_id: resultId, attempt, turn_id: turnId } = answer;
  await wakeAttempt(deps, { resultId, attempt, turnId });
}
