import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { applyFault, type Fault, type Faults } from './faults';
import { parseBody } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';
import { brokenFiles, composeVideo } from './video-file';

/** Where the fake reports finished videos, and the secret that signs the reports. */
export type VideoHook = { url: string; secret: string };

type Video = {
  video_id: string;
  callback_id: string | null;
  title: string | null;
  avatar_id: string;
  voice_id: string;
  text: string;
  speed: number;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** In seconds, as HeyGen has it. */
  created_at: number;
};

type VideoProvider = {
  videos: RecentRecords<Video>;
  /** Handles the calls below `/heygen`. */
  answer: (req: Request, res: Response) => Promise<void>;
};

const renderingMs = 300;

const order = z.object({
  title: z.string().max(500).optional(),
  callback_id: z.string().max(500).optional(),
  dimension: z.object({ width: z.int(), height: z.int() }).optional(),
  video_inputs: z
    .array(
      z.object({
        character: z.object({
          type: z.literal('avatar'),
          avatar_id: z.string().min(1),
          avatar_style: z.string(),
        }),
        voice: z.object({
          type: z.literal('text'),
          voice_id: z.string().min(1),
          input_text: z.string().min(1).max(4_999),
          speed: z.number().min(0.5).max(1.5).default(1),
        }),
      }),
    )
    .min(1)
    .max(50),
});

const shapeError = (status: number, message: string) => ({
  data: null,
  error: { code: `fake_${status}`, message },
});

/**
 * Creates a fake of HeyGen's avatar videos. A video of which the fault has `video` or `hook` is accepted, and goes wrong
 * later. Other faults act on any call; with `accept`, a video is ordered all the same.
 */
export function createVideoProvider(
  faults: Faults,
  pauses: Delays,
  hook: VideoHook | undefined,
): VideoProvider {
  const videos = createRecentRecords<Video>();
  const wrong = new Map<string, Fault>();
  /** The first question about a video is always too early, so that a busy machine asks as often as an idle one. */
  const asked = new Set<string>();

  const accept = (
    { title, callback_id, video_inputs }: z.infer<typeof order>,
    fault: Fault | undefined,
  ): Video => {
    const [scene] = video_inputs;
    const video: Video = {
      video_id: randomBytes(16).toString('hex'),
      callback_id: callback_id ?? null,
      title: title ?? null,
      avatar_id: scene?.character.avatar_id ?? '',
      voice_id: scene?.voice.voice_id ?? '',
      text: scene?.voice.input_text ?? '',
      speed: scene?.voice.speed ?? 1,
      status: 'pending',
      created_at: Math.floor(Date.now() / 1_000),
    };
    videos.add(video);
    if (fault) wrong.set(video.video_id, fault);
    void render(video, fault);
    return video;
  };

  const render = async (video: Video, fault: Fault | undefined) => {
    video.status = 'processing';
    if (fault?.video === 'stalls' || !(await pauses.wait(renderingMs))) return;
    video.status = fault?.video === 'fails' ? 'failed' : 'completed';
    if (!hook || fault?.hook === 'missing') return;
    const { video_id, callback_id } = video;
    const isDone = video.status === 'completed';
    const body = JSON.stringify({
      event_type: isDone ? 'avatar_video.success' : 'avatar_video.fail',
      event_data: {
        video_id,
        callback_id,
        ...(isDone ? { url: 'https://files.heygen.ai/x.mp4' } : { msg: 'failed' }),
      },
    });
    const key = fault?.hook === 'forged' ? 'another secret' : hook.secret;
    const signature = createHmac('sha256', key).update(body).digest('hex');
    for (let calls = fault?.hook === 'twice' ? 2 : 1; calls > 0; calls -= 1)
      await fetch(hook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', signature },
        body,
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
  };

  const generate = async (req: Request, res: Response) => {
    const parsed = parseBody(order, req.body);
    const fault = faults.take('heygen');
    const video = fault?.accept && parsed.ok ? accept(parsed.value, fault) : undefined;
    if (await applyFault(fault, res, pauses, shapeError)) return;
    if (fault?.malformed) res.type('json').send('{"data":');
    else if (!parsed.ok) res.status(400).json(shapeError(400, `${parsed.name ?? 'body'}: ${parsed.error}`));
    else res.json({ error: null, data: { video_id: (video ?? accept(parsed.value, fault)).video_id } });
  };

  const describe = (req: Request, res: Response) => {
    const video = find(req.query['video_id']);
    if (!video) {
      res.status(404).json({ code: 404, data: null, message: 'video not found' });
      return;
    }
    const { video_id: id, callback_id, created_at } = video;
    const status = asked.has(id) ? video.status : 'processing';
    asked.add(id);
    const host =
      wrong.get(id)?.video === 'elsewhere'
        ? 'http://169.254.169.254'
        : `${req.protocol}://${req.get('host')}`;
    res.json({
      code: 100,
      message: 'Success',
      data: {
        id,
        callback_id,
        status,
        created_at,
        duration: status === 'completed' ? 1.5 : null,
        error:
          status === 'failed'
            ? { code: 40119, message: 'Video is too long', detail: 'Video is too long' }
            : null,
        video_url: status === 'completed' ? `${host}/heygen/files/${id}.mp4` : null,
      },
    });
  };

  /** Lists a page of videos, the newest first. The token is the place of the next page. */
  const list = (req: Request, res: Response) => {
    const from = Number(req.query['token'] ?? 0);
    const to = from + Number(req.query['limit'] ?? 100);
    const all = videos.list().toReversed();
    const page = all
      .slice(from, to)
      .map(({ video_id, status, created_at }) => ({ video_id, status, created_at, type: 'GENERATED' }));
    const token = to < all.length ? String(to) : null;
    res.json({ code: 100, message: 'Success', data: { token, videos: page } });
  };

  const find = (id: unknown) => videos.list().find((video) => video.video_id === id);

  const serve = (req: Request, res: Response) => {
    const video = find(req.path.replace(/^\/files\/|\.mp4$/g, ''));
    const fault = video && wrong.get(video.video_id)?.video;
    if (!video) res.status(404).end();
    else
      res.type('video/mp4').send(
        composeVideo(
          video.text,
          brokenFiles.find((broken) => broken === fault),
        ),
      );
  };

  return {
    videos,
    async answer(req, res) {
      if (req.path.startsWith('/files/')) return serve(req, res);
      if (!req.get('x-api-key')) {
        res.status(401).json(shapeError(401, 'Unauthorized'));
        return;
      }
      const call = `${req.method} ${req.path}`;
      if (call === 'POST /v2/video/generate') return generate(req, res);
      if (await applyFault(faults.take('heygen', { creates: false }), res, pauses, shapeError)) return;
      if (call === 'GET /v1/video_status.get') describe(req, res);
      else if (call === 'GET /v1/video.list') list(req, res);
      else res.status(404).json(shapeError(404, 'Not found'));
    },
  };
}
