import { Agent, errors, request } from 'undici';
import { z } from 'zod';
import { readRetryAfter } from './retry-after';

export type FeatureBoardSettings = {
  /** The address of Canny itself is https://canny.io. */
  baseUrl: string;
  apiKey: string;
  boardId: string;
};

/**
 * The board did not do what was asked, as far as is known: it may have done it if its response was lost. If
 * `retryable` is false, retrying does not help. `retryAfterMs` is the wait that the board asked for. The message
 * contains nothing of the request or the response.
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

/** How long a call may take, from its first byte to the last byte of the response. `signal` ends it early. */
export type CallLimit = { timeoutMs: number; signal: AbortSignal };

export type FeatureBoard = ReturnType<typeof createFeatureBoard>;

/** A post whose response was lost is searched among the author's latest posts. Nobody makes more than five a day. */
const listedPosts = 100;
const limitBytes = 4_194_304;

/**
 * A client for a board with Canny's API. The API has no idempotency key, so callers check whether a post exists
 * before they create it. The client does not retry, because Temporal does. Throws FeatureBoardUnavailable.
 */
export function createFeatureBoard({ baseUrl, apiKey, boardId }: FeatureBoardSettings) {
  // Each call has one deadline for everything.
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
    /** Returns the person's id on the board, found by the email address. The name is what others see. */
    findOrCreateAuthor: async (
      { email, name }: { email: string; name: string },
      limit: CallLimit,
    ): Promise<string> => {
      const { id } = await call('/users/find_or_create', { email, name }, created, limit);
      return id;
    },

    /**
     * Returns the id of this person's latest post with this title and these details, except the posts in `except`.
     * Returns undefined if none of the latest hundred posts matches.
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

    /** Creates the post. Every call creates another one. */
    createPost: async (
      { authorId, title, details }: { authorId: string; title: string; details: string },
      limit: CallLimit,
    ): Promise<string> => {
      const post = { boardID: boardId, authorID: authorId, title, details };
      const { id } = await call('/posts/create', post, created, limit);
      return id;
    },

    /** Waits for the calls in flight. */
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

/** The board may change the white space of what it stores, so texts are compared in one form. */
const oneForm = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

/** The text of the board's response is left out, because it may quote the request. */
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
