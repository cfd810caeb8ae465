/*
 * Keeps the recording of an answer in the browser until the answer is stored, so that nothing is lost when the page is
 * reloaded or the browser crashes. If the browser offers no storage, nothing is kept.
 */

type KeptRecording = { format: string; bytes: Blob; durationMs: number };
export type KeptRecordings = ReturnType<typeof createKeptRecordings>;

/**
 * A piece of a recording. It ends `endMs` milliseconds after the recording began. `turn` names the candidate and the
 * turn.
 */
type Chunk = { turn: string; format: string; index: number; endMs: number; bytes: Blob };

/**
 * Returns functions that keep the latest recording of this browser, whichever candidate made it. None of them throws.
 */
export function createKeptRecordings(enrolmentId: string) {
  const nameOf = (turnId: string | undefined) => `${enrolmentId} ${turnId}`;
  const opened = openDatabase();

  async function inStore<Value>(
    work: (store: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value | undefined> {
    try {
      const database = await opened;
      return await resultOf(work(database.transaction(storeName, 'readwrite').objectStore(storeName)));
    } catch {
      return undefined;
    }
  }
  const readAll = async () => ((await inStore((store) => store.getAll())) ?? []) as Chunk[];
  const clear = () => void inStore((store) => store.clear());
  /** Counts the recordings. The end of the one before may overlap the beginning of the latest. */
  let latest = 0;

  return {
    /**
     * Begins to keep a new recording and deletes the earlier one. Returns a function that stores the next bytes of
     * the new recording.
     */
    begin(turnId: string, format: string): (bytes: Blob) => void {
      const startedAt = performance.now();
      let count = 0;
      const own = (latest += 1);
      clear();
      return (bytes) => {
        if (own !== latest) return;
        const endMs = Math.round(performance.now() - startedAt);
        const chunk: Chunk = { turn: nameOf(turnId), format, index: count, endMs, bytes };
        count += 1;
        void inStore((store) => store.add(chunk));
      };
    },
    /** Returns the recording of this turn, if one is kept. */
    async read(turnId: string): Promise<KeptRecording | undefined> {
      const chunks = await readAll();
      const last = chunks.at(-1);
      // If two windows record at the same time, their chunks are mixed and cannot be played.
      const isWhole = chunks.every(({ turn, index }, place) => turn === nameOf(turnId) && index === place);
      if (!last || !isWhole) return undefined;
      const bytes = new Blob(
        chunks.map((chunk) => chunk.bytes),
        { type: last.format },
      );
      return { format: last.format, bytes, durationMs: last.endMs };
    },
    /** Deletes the stored recording unless it belongs to this turn. */
    async keepOnly(turnId: string | undefined): Promise<void> {
      if ((await readAll()).some(({ turn }) => turn !== nameOf(turnId))) clear();
    },
    clear,
  };
}

const storeName = 'chunks';

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('recording');
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(storeName, { autoIncrement: true }),
  );
  return resultOf(request);
}

const resultOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser stores nothing')));
  });
