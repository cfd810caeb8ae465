import { z } from 'zod';
import { createDownload } from './download';
import { createProviderClient } from './provider-client';
import type { VideoProvider } from './video-provider';

type HeyGenSettings = {
  apiKey: string;
  /** The default is HeyGen's own address. */
  baseUrl: string | undefined;
  avatarId: string;
  voiceId: string;
  minutePrice: number | undefined;
  /** The time limit of one call, and of the download of a file. */
  timeoutMs?: number;
  downloadMs?: number;
};

/** The hosts from which HeyGen serves files, and all hosts below them. */
const fileHosts = ['heygen.ai', 'heygen.com'];
/** HeyGen keeps the time of an order in seconds, and its clock may differ from ours. */
const clockMs = 60_000;
/** An order whose reply was lost is looked for among this many hundreds of the newest videos of the account. */
const maxPages = 5;
const size = { width: 1_280, height: 720 };

const videoId = z.string().regex(/^[\w-]{1,100}$/);
const created = z.object({ data: z.object({ video_id: videoId }) });
const listed = z.object({
  data: z.object({
    token: z.string().max(1_000).nullish(),
    videos: z.array(z.object({ video_id: videoId, created_at: z.number() })).max(100),
  }),
});
const details = z.object({
  data: z.object({
    status: z.string().max(50),
    callback_id: z.string().max(200).nullish(),
    video_url: z.string().max(4_000).nullish(),
    duration: z.number().min(0).max(1e6).nullish(),
    error: z.object({ code: z.union([z.int().transform(String), z.string().max(100)]).nullish() }).nullish(),
  }),
});

/**
 * A client for HeyGen's avatar videos (API v2; the status and the list are still v1). HeyGen has no idempotency keys
 * there, so an order whose reply was lost is found by its `callback_id`.
 */
export function createHeyGen(settings: HeyGenSettings): VideoProvider {
  const { apiKey, baseUrl = 'https://api.heygen.com', avatarId, voiceId, minutePrice } = settings;
  const { timeoutMs = 20_000, downloadMs = 120_000 } = settings;
  const provider = 'the video provider';
  const client = createProviderClient({
    provider,
    baseUrl,
    headers: { 'x-api-key': apiKey },
    maxResponseBytes: 1_048_576,
  });
  const files = createDownload({ provider, hosts: fileHosts, trustedOrigin: new URL(baseUrl).origin });
  const readDetails = async (providerId: string, signal: AbortSignal) => {
    const path = `/v1/video_status.get?${new URLSearchParams({ video_id: providerId }).toString()}`;
    return (await client.call({ method: 'GET', path }, details, { timeoutMs, signal })).data;
  };

  return {
    model: `heygen/${avatarId}`,
    minutePrice,
    order: async ({ id, text, speed }, signal) => {
      const body = {
        title: id,
        callback_id: id,
        dimension: size,
        video_inputs: [
          {
            character: { type: 'avatar', avatar_id: avatarId, avatar_style: 'normal' },
            voice: { type: 'text', voice_id: voiceId, input_text: text, speed },
          },
        ],
      };
      const { data } = await client.call({ method: 'POST', path: '/v2/video/generate', body }, created, {
        timeoutMs,
        signal,
      });
      return data.video_id;
    },
    find: async (id, orderedMs, signal) => {
      let token: string | null | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const query = new URLSearchParams({ limit: '100', ...(token && { token }) }).toString();
        const path = `/v1/video.list?${query}`;
        const { data } = await client.call({ method: 'GET', path }, listed, { timeoutMs, signal });
        const recent = data.videos.filter((video) => video.created_at * 1_000 >= orderedMs - clockMs);
        for (const { video_id } of recent)
          if ((await readDetails(video_id, signal)).callback_id === id) return video_id;
        ({ token } = data);
        // The newest videos are listed first.
        if (!token || recent.length === 0) break;
      }
      return undefined;
    },
    read: async (providerId, signal) => {
      const { status, video_url: address, error, duration } = await readDetails(providerId, signal);
      if (status === 'failed') return { state: 'failed', code: error?.code ?? null };
      const lengthMs = duration == null ? null : Math.round(duration * 1_000);
      return status === 'completed' && address
        ? { state: 'ready', address, lengthMs }
        : { state: 'rendering' };
    },
    download: (address, signal) => files.read(address, { timeoutMs: downloadMs, signal }),
    close: async () => {
      await Promise.all([client.close(), files.close()]);
    },
  };
}
