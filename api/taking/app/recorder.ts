/* Finds out what this browser's MediaRecorder can record, and passes on the bytes while it records. */

const formats = {
  video: ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'],
  audio: ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4', 'audio/ogg;codecs=opus'],
};

/** Returns the first format that the browser records, or undefined if it records none. */
export const recordedFormat = (kind: 'audio' | 'video'): string | undefined =>
  typeof MediaRecorder === 'undefined'
    ? undefined
    : formats[kind].find((format) => MediaRecorder.isTypeSupported(format));

/** Returns the media type without its parameters, as `recording-create` expects it. */
export const mediaTypeOf = (format: string): string => format.split(';')[0] ?? format;

/**
 * Bits per second. An attempt may store 200 MiB: at these rates, an hour of the session and half an hour of answers
 * take 180 MB.
 */
const rates = { audioBitsPerSecond: 32_000, videoBitsPerSecond: 360_000 };
const sessionRates = { audioBitsPerSecond: 32_000, videoBitsPerSecond: 200_000 };

export type Recorder = {
  /** Ends the recording after its last bytes have been passed on. Returns its length in milliseconds. */
  stop(): Promise<number>;
};

type RecorderOptions = {
  format: string;
  isSession?: boolean;
  chunkMs: number;
  onChunk: (chunk: Blob) => void;
};

/** Starts to record. Throws if the browser cannot record this stream. */
export function startRecorder(
  stream: MediaStream,
  { format, isSession = false, chunkMs, onChunk }: RecorderOptions,
): Recorder {
  const tracks = format.startsWith('audio') ? stream.getAudioTracks() : stream.getTracks();
  const recorder = new MediaRecorder(new MediaStream(tracks), {
    mimeType: format,
    ...(isSession ? sessionRates : rates),
  });
  const startedAt = performance.now();
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) onChunk(data);
  });
  const ended = new Promise<number>((resolve) => {
    recorder.addEventListener('stop', () => resolve(Math.round(performance.now() - startedAt)));
  });
  recorder.start(chunkMs);
  return {
    stop() {
      if (recorder.state !== 'inactive') recorder.stop();
      return ended;
    },
  };
}
