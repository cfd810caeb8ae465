import { Agent, errors, request } from 'undici';
import { z } from 'zod';
import { readRetryAfter } from './retry-after';

export type FeatureBoardSettings = {
  /** Canny's own is https://canny.io. */
  baseUrl: string;
  apiKey: string;
  boardId: string;
};

/**
 * Why the board did not do it, as far as one knows: it may have done it, and its answer be lost. `retryable` false: asking
 * again is no use. `retryAfterMs` as it asked. The message holds nothing of the request nor of the answer.
 */
export class FeatureBoardUnavailable extends Error {
  constructor(
    message: string,
    readonly retryable: boolean,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** How long a call may take, from its first byte to the last of the answer; `signal` ends it early. */
export type CallLimit = { timeoutMs: number; signal: AbortSignal };

export type FeatureBoard = ReturnType<typeof createFeatureBoard>;

/** A person's latest posts are what a lost answer can be found among: nobody makes more than five a day. */
const listedPosts = 100;
const limitBytes = 4_194_304;

/**
 * A board that speaks Canny's API. It has no idempotency key: who creates a post looks first whether it is there. Nothing
 * is retried here: Temporal retries, in one place. Throws FeatureBoardUnavailable.
 */
export function createFeatureBoard({ baseUrl, apiKey, boardId }: FeatureBoardSettings) {
  // One deadline over all is the call's.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: limitBytes });
  const address = `${baseUrl.replace(/\/+$/, '')}/api/v1`;

  const call = async <T>(path: string, body: object, answer: z.ZodType<T>, limit: CallLimit): Promise<T> => {
    const deadline = AbortSignal.timeout(Math.max(0, Math.floor(limit.timeoutMs)));
    try {
      const response = await request(address + path, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ apiKey, ...body }),
        signal: AbortSignal.any([limit.signal, deadline]),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw toRefusal(response.statusCode, response.headers['retry-after']);
      const parsed = answer.safeParse(parseJson(text));
      if (!parsed.success)
        throw new FeatureBoardUnavailable('the feature board’s answer makes no sense', true);
      return parsed.data;
    } catch (error) {
      if (error instanceof FeatureBoardUnavailable) throw error;
      if (limit.signal.aborted) throw new FeatureBoardUnavailable('the call was broken off', true);
      if (deadline.aborted)
        throw new FeatureBoardUnavailable('the feature board did not answer in time', true);
      throw error instanceof errors.ResponseExceededMaxSizeError
        ? new FeatureBoardUnavailable('the feature board’s answer is too long', true)
        : new FeatureBoardUnavailable('the feature board cannot be reached', true);
    }
  };

  return {
    /** The person's id on the board, by the e-mail; the name is what others see. */
    findOrCreateAuthor: async (
      { email, name }: { email: string; name: string },
      limit: CallLimit,
    ): Promise<string> => {
      const { id } = await call('/users/find_or_create', { email, name }, created, limit);
      return id;
    },

    /**
     * The id of this person's latest post with this title and these details, but for known ones; undefined where its
     * latest hundred have none.
     */
    findPost: async (
      {
        authorId,
        title,
        details,
        except,
      }: { authorId: string; title: string; details: string; except: readonly string[] },
      limit: CallLimit,
    ): Promise<string | undefined> => {
      const query = { boardID: boardId, authorID: authorId, sort: 'newest', limit: listedPosts };
      const { posts } = await call('/posts/list', query, postList, limit);
      return posts.find(
        (post) =>
          post.author?.id === authorId &&
          oneForm(post.title) === oneForm(title) &&
          oneForm(post.details ?? '') === oneForm(details) &&
          !except.includes(post.id),
      )?.id;
    },

    /** Creates the post, and another one each time it is called. */
    createPost: async (
      { authorId, title, details }: { authorId: string; title: string; details: string },
      limit: CallLimit,
    ): Promise<string> => {
      const post = { boardID: boardId, authorID: authorId, title, details };
      const { id } = await call('/posts/create', post, created, limit);
      return id;
    },

    /** Waits for the calls under way. */
    close: (): Promise<void> => agent.close(),
  };
}

const id = z.string().regex(/^[\w-]{1,200}$/);
const created = z.object({ id });
const postList = z.object({
  posts: z.array(
    z.object({
      id,
      title: z.string(),
      details: z.string().nullish(),
      author: z.object({ id: z.string() }).nullable(),
    }),
  ),
});

/** A board may tidy up what it is given. */
const oneForm = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

/** What the board says in words is left out: it may quote what it was sent. */
function toRefusal(status: number, retryAfter: string | string[] | undefined): FeatureBoardUnavailable {
  const retryable = status < 400 || status === 408 || status === 409 || status === 429 || status >= 500;
  return new FeatureBoardUnavailable(
    `the feature board answered ${status}`,
    retryable,
    typeof retryAfter === 'string' ? readRetryAfter(retryAfter) : undefined,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
