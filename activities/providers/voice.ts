import OpenAI, { toFile } from 'openai';
import { z } from 'zod';
import type { TranscriptConfidence } from '../../db/taking/public';
import { toProviderError } from './openai';
import { ProviderError } from './provider-error';
import { readBody } from './read-body';

type VoiceSettings = {
  apiKey: string;
  baseUrl: string | undefined;
  speechModel: string;
  transcriptionModel: string;
};

export type Voice = ReturnType<typeof createVoice>;

/** A call takes at most `timeoutMs`, including the time to read its response. `signal` ends the call early. */
type Limits = { timeoutMs: number; signal: AbortSignal };

/** The size limit of a recording, in bytes. The provider rejects larger files. */
export const maxTranscribedBytes = 25 * 1024 * 1024;

const maxSpeechBytes = 10 * 1024 * 1024;
/** A reply with the probability of each token takes about 100 bytes a token. */
const maxTextBytes = 4 * 1024 * 1024;
const transcription = z.object({
  text: z.string(),
  logprobs: z.array(z.object({ logprob: z.number() })).nullish(),
  segments: z.array(z.object({ avg_logprob: z.number(), tokens: z.array(z.unknown()) })).nullish(),
});

/**
 * A client for speech and transcriptions on any OpenAI-compatible server. The package's own retries are off, because
 * Temporal retries. Throws ProviderError.
 */
export function createVoice({ apiKey, baseUrl, speechModel, transcriptionModel }: VoiceSettings) {
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });
  const within = async <T>(
    { timeoutMs, signal }: Limits,
    call: (options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await call({ signal: AbortSignal.any([signal, deadline]), timeout: timeoutMs });
    } catch (error) {
      throw toProviderError(error, deadline);
    }
  };

  return {
    speechModel,
    transcriptionModel,

    /** Returns the text as speech in an MP3 file. `speed` is 1 for a normal voice. */
    speak: (
      text: string,
      { voice, speed }: { voice: string; speed: number },
      limits: Limits,
    ): Promise<Buffer> =>
      within(limits, async (options) => {
        const response = await client.audio.speech.create(
          { model: speechModel, voice, speed, input: text, response_format: 'mp3' },
          options,
        );
        const file = await readBody(response, maxSpeechBytes, provider);
        if (!isMp3(file)) throw new ProviderError(provider, 'malformed');
        return file;
      }),

    /**
     * Returns the words of a recording, without white space around them. The text is empty if nothing is said.
     * `language` is a code of ISO 639. The extension of `name` tells the provider the format. `confidence` is null unless
     * `wantsConfidence` is true and the provider says how sure it is.
     */
    transcribe: (
      recording: { bytes: Uint8Array; name: string; language: string; wantsConfidence: boolean },
      limits: Limits,
    ): Promise<{ text: string; confidence: TranscriptConfidence | null }> =>
      within(limits, async (options) => {
        const { bytes, name, language, wantsConfidence } = recording;
        const response = await client.audio.transcriptions
          .create(
            {
              model: transcriptionModel,
              language,
              file: await toFile(bytes, name),
              response_format: 'json',
              ...(wantsConfidence && confidenceOptions(transcriptionModel)),
            },
            options,
          )
          .asResponse();
        const parsed = transcription.safeParse(
          parseJson((await readBody(response, maxTextBytes, provider)).toString()),
        );
        if (!parsed.success) throw new ProviderError(provider, 'malformed');
        const text = parsed.data.text.toWellFormed().replaceAll('\0', '').trim();
        return { text, confidence: confidenceOf(parsed.data) };
      }),
  };
}

const provider = 'the voice model';

/**
 * Returns the options with which a model says how sure it is of its words. Whisper has them in its verbose format, newer
 * models of OpenAI as an addition to the short one. Other models might refuse both.
 */
function confidenceOptions(
  model: string,
): { response_format: 'verbose_json' } | { include: ['logprobs'] } | undefined {
  if (model.startsWith('whisper')) return { response_format: 'verbose_json' };
  return /^gpt-4o(?:-mini)?-transcribe(?!-diarize)/.test(model) ? { include: ['logprobs'] } : undefined;
}

/** Whisper has only one figure for each segment: the mean of the logarithms of the probabilities of its tokens. */
function confidenceOf({ logprobs, segments }: z.infer<typeof transcription>): TranscriptConfidence | null {
  const parts =
    logprobs?.map(({ logprob }) => ({ probability: Math.exp(logprob), tokens: 1 })) ??
    segments?.map(({ avg_logprob: mean, tokens }) => ({
      probability: Math.exp(mean),
      tokens: tokens.length,
    }));
  return meanConfidence(
    (parts ?? []).map(({ probability, tokens }) => ({ mean: Math.min(1, probability), tokens })),
  );
}

/** Returns the mean of all tokens, or null if there are none. */
export function meanConfidence(parts: readonly (TranscriptConfidence | null)[]): TranscriptConfidence | null {
  const known = parts.filter((part) => part !== null);
  const tokens = known.reduce((sum, part) => sum + part.tokens, 0);
  if (tokens === 0) return null;
  return { mean: known.reduce((sum, part) => sum + part.mean * part.tokens, 0) / tokens, tokens };
}

/** Returns true if the file begins with an ID3 tag or with the sync word of an MPEG frame. */
const isMp3 = (file: Buffer): boolean =>
  file.length > 100 &&
  (file.subarray(0, 3).toString('latin1') === 'ID3' ||
    (file[0] === 0xff && ((file[1] ?? 0) & 0xe0) === 0xe0));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
