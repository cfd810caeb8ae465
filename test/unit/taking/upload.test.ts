import type { PortalReply } from '../../../api/taking/app/reply';
import { createUpload } from '../../../api/taking/app/upload';
import type { CreatedRecording, UploadCalls } from '../../../api/taking/app/upload';
import { waitFor } from '../../harness/wait-for';

const partBytes = 4;
const away = { kind: 'away' } as const;
const done = { kind: 'done', body: {} } as const;

/** A fake server that stores parts. The next calls return `failures`, one each, instead of succeeding. */
function startServer({ failures = [] as PortalReply<unknown>[], isReplyLost = false } = {}) {
  const stored = new Map<number, string>();
  const log: string[] = [];
  let recordingId = 'r1';
  const calls: UploadCalls = {
    async create(restart) {
      log.push(`create ${restart}`);
      if (restart) stored.clear();
      const body: CreatedRecording = {
        recording_id: recordingId,
        part_bytes: partBytes,
        stored_parts: [...stored.keys()],
      };
      return { kind: 'done', body };
    },
    async put(_id, part, bytes) {
      log.push(`put ${part}`);
      const failure = failures.shift();
      if (!failure || isReplyLost) stored.set(part, await bytes.text());
      return failure ?? done;
    },
    async complete(_id, parts, durationMs) {
      log.push(`complete ${parts} ${durationMs}`);
      return done;
    },
    async pause(tries) {
      log.push(`pause ${tries}`);
    },
  };
  const replace = () => void (recordingId = 'r2');
  return { calls, log, replace, text: () => [...stored.values()].join('') };
}
const bytes = (text: string) => new Blob([text]);
const waiting: boolean[] = [];
const onWaiting = (isWaiting: boolean) => void waiting.push(isWaiting);
beforeEach(() => void waiting.splice(0));

describe('the upload of a recording', () => {
  it('sends full parts in their order, and the rest at the end', async () => {
    const server = startServer();
    const upload = createUpload(server.calls, { onWaiting });
    for (const chunk of ['abc', 'defgh', 'i', 'jk']) upload.add(bytes(chunk));
    expect(await upload.finish(7_000)).toEqual({ recordingId: 'r1', durationMs: 7_000 });
    expect(server.text()).toBe('abcdefghijk');
    expect(server.log).toEqual(['create true', 'put 1', 'put 2', 'put 3', 'complete 3 7000']);
    expect(waiting).toEqual([]);
  });

  it('tries a part again after a pause, and says that it waits', async () => {
    const server = startServer({ failures: [away, away] });
    const upload = createUpload(server.calls, { onWaiting });
    upload.add(bytes('abcdef'));
    await upload.finish(1);
    expect(server.text()).toBe('abcdef');
    const tried = ['put 1', 'pause 1', 'create false', 'put 1', 'pause 2', 'create false', 'put 1'];
    expect(server.log).toEqual(['create true', ...tried, 'put 2', 'complete 2 1']);
    expect(waiting).toEqual([true, true, false]);
  });

  it('does not send a part again whose reply was lost', async () => {
    const server = startServer({ failures: [away], isReplyLost: true });
    const upload = createUpload(server.calls, { onWaiting });
    upload.add(bytes('abcdef'));
    await upload.finish(1);
    expect(server.log.filter((call) => call === 'put 1')).toHaveLength(1);
    expect(server.text()).toBe('abcdef');
  });

  it.each([
    ['full', { kind: 'conflict', code: 'limit_reached', detail: undefined }],
    ['gone', { kind: 'conflict', code: 'state_conflict', detail: undefined }],
    ['rejected', { kind: 'refused' }],
    ['gone', { kind: 'gone' }],
  ] as const)('ends as %s after such a reply', async (problem, failure) => {
    const server = startServer({ failures: [failure] });
    const upload = createUpload(server.calls, { onWaiting });
    upload.add(bytes('abcd'));
    expect(await upload.finish(1)).toEqual({ problem });
    expect(server.log).toEqual(['create true', 'put 1']);
  });

  it('ends when another window has begun the recording anew', async () => {
    const server = startServer({ failures: [away] });
    const upload = createUpload(server.calls, { onWaiting });
    server.calls.pause = async () => server.replace();
    upload.add(bytes('abcd'));
    expect(await upload.finish(1)).toEqual({ problem: 'gone' });
  });

  it('is cancelled when its last call has ended, so that the call cannot discard the next recording', async () => {
    const server = startServer();
    let reply = (): void => undefined;
    const replied = new Promise<void>((resolve) => (reply = resolve));
    const create: UploadCalls['create'] = async (restart) => {
      await replied;
      return server.calls.create(restart);
    };
    const upload = createUpload({ ...server.calls, create }, { onWaiting });
    upload.add(bytes('abcd'));
    const cancelled = upload.cancel().then(() => server.log.push('cancelled'));
    reply();
    await cancelled;
    expect(server.log).toEqual(['create true', 'cancelled']);
  });

  it('tries again at once when the recording ends', async () => {
    const server = startServer({ failures: [away] });
    const pause: UploadCalls['pause'] = (tries) => {
      server.log.push(`pause ${tries}`);
      return new Promise(() => undefined);
    };
    const upload = createUpload({ ...server.calls, pause }, { onWaiting });
    upload.add(bytes('abcd'));
    await waitFor('the pause', async () => server.log.includes('pause 1'));
    expect(await upload.finish(1)).toEqual({ recordingId: 'r1', durationMs: 1 });
    expect(waiting).toEqual([true, false]);
  });

  it('keeps nothing back for a full part of a session, and knows what is stored', async () => {
    const server = startServer();
    const upload = createUpload(server.calls, { onWaiting, isPartEachChunk: true });
    expect(upload.stored()).toBeUndefined();
    upload.add(bytes('ab'));
    await waitFor('the first part', async () => upload.stored());
    upload.add(bytes('c'));
    await upload.finish(1);
    expect([upload.stored(), server.text()]).toEqual([{ recordingId: 'r1', parts: 2 }, 'abc']);
  });
});
