import type { LiveData } from '../../pages/app-data';
import { readFlag, writeFlag } from '../flags';

/*
 * Whether the candidate talks, or records and types as without a live conversation. The candidate's wish is kept for the
 * attempt in the tab's session storage.
 */

type LiveStepState = {
  /** True if the candidate talks, as soon as the devices are open. */
  isOn: boolean;
  /** True if the conversation did not work, so that the page says how to go on. */
  isInTrouble: boolean;
};
export type LiveStep = ReturnType<typeof createLiveStep>;

/** Returns true if this browser can talk: send sound while it plays some, and record the answer too. */
export const canTalk = (): boolean =>
  typeof AudioWorkletNode !== 'undefined' &&
  typeof WebSocket !== 'undefined' &&
  typeof MediaRecorder !== 'undefined' &&
  navigator.mediaDevices !== undefined;

/** Holds the choice of an attempt. `live` is null if the page offers no live conversation. */
export function createLiveStep(live: LiveData | null, storageKey: string) {
  const listeners = new Set<() => void>();
  const isOffered = live !== null && canTalk();
  let state: LiveStepState = { isOn: isOffered && !readFlag(storageKey), isInTrouble: false };
  const waits: (() => Promise<unknown>)[] = [];
  const change = (changed: LiveStepState): void => {
    state = changed;
    for (const listener of listeners) listener();
  };
  return {
    isOffered,
    get state(): LiveStepState {
      return state;
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Goes on without a conversation, by the candidate's wish or because it does not work. */
    lower(reason: 'wish' | 'trouble'): void {
      if (reason === 'wish') writeFlag(storageKey, true);
      change({ isOn: false, isInTrouble: reason === 'trouble' });
    },
    /** Goes on with a conversation. */
    raise(): void {
      writeFlag(storageKey, false);
      change({ isOn: isOffered, isInTrouble: false });
    },
    /** Adds what waits for the answers of a conversation that are still being uploaded. */
    beforeLeaving(wait: () => Promise<unknown>): void {
      waits.push(wait);
    },
    settled: (): Promise<unknown> => Promise.all(waits.map((wait) => wait())),
  };
}
