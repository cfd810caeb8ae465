import type { AvatarData } from '../../avatar/avatar-data';
import type { ShownAttempt } from '../interview-state';
import type { LiveConversation, startLiveConversation } from '../live/main';
import type { Portal } from '../portal-client';
import type { PortalReply } from '../reply';

/* What the live conversation needs of a page, for the visit of a public avatar. */

type Turn = AvatarData['turns'][number] & { id?: string };
type VisitState = {
  attempt: Pick<ShownAttempt, 'attempt' | 'turn'>;
  sending: null;
  turns: Turn[];
};
const addresses: Record<string, string> = { 'live-token': 'talk', 'turn-speech': 'speech' };

/** Returns the calls of the conversation, which go to the page of the avatar instead of to the operations for candidates. */
export function visitPortal(path: string): Portal {
  const send = (operation: string, query?: Record<string, string>): Promise<Response> => {
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    return fetch(`${path}${addresses[operation]}${search}`, {
      method: query ? 'GET' : 'POST',
      signal: AbortSignal.timeout(45_000),
    });
  };
  const portal: Pick<Portal, 'file'> & { call: (operation: string) => Promise<PortalReply<unknown>> } = {
    async call(operation) {
      try {
        const response = await send(operation);
        if (response.status === 429) return { kind: 'limited' };
        if (response.status >= 500) return { kind: 'away' };
        return response.ok ? { kind: 'done', body: await response.json() } : { kind: 'gone' };
      } catch {
        return { kind: 'away' };
      }
    },
    async file(operation, { query }) {
      try {
        const response = await send(operation, query);
        return response.status === 200 ? await response.blob() : null;
      } catch {
        return null;
      }
    },
  };
  return portal as Portal;
}

/** Holds what was said in the visit, as the server shows it. A question is what was understood of it. */
export function createVisit(said: AvatarData['turns']) {
  const listeners = new Set<() => void>();
  let live: LiveConversation | undefined;
  let state: VisitState = { attempt: { attempt: 1, turn: null }, sending: null, turns: said };
  const visit: Parameters<typeof startLiveConversation>[0]['interview'] & {
    readonly state: VisitState;
    follow: (to: LiveConversation) => void;
  } = {
    get state() {
      return state;
    },
    /** The conversation, which knows what it understands. */
    follow(to) {
      live = to;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch({ attempt }) {
      // While the avatar thinks, its last words stay.
      if (!attempt.turn) return;
      state = { ...state, attempt, turns: addTurn(state.turns, attempt.turn, live?.state.caption ?? '') };
      for (const listener of listeners) listener();
    },
    /** The server stores the questions that it hears. */
    send: () => Promise.resolve(),
  };
  return visit;
}

/** Returns the turns with this one as the last. A question that goes on is open again. */
export function addTurn(
  turns: Turn[],
  { turn_id: id, text }: { turn_id: string; text: string },
  asked: string,
): Turn[] {
  const open = { id, text, question: null };
  const at = turns.findIndex((turn) => turn.id === id);
  if (at >= 0) return [...turns.slice(0, at), open];
  const last = turns.at(-1);
  // The server's page shows the open turn without its id.
  if (last && last.id === undefined && last.question === null && last.text === text)
    return [...turns.slice(0, -1), open];
  return [...turns.slice(0, -1), ...(last ? [{ ...last, question: last.question ?? asked }] : []), open];
}
