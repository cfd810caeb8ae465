import { z } from 'zod';
import { createProviderClient } from './provider-client';
import type { CallLimit } from './provider-client';

type FeatureBoardSettings = {
  /** The address of the board. Canny's own address is https://canny.io. */
  baseUrl: string;
  apiKey: string;
  boardId: string;
};

export type FeatureBoard = ReturnType<typeof createFeatureBoard>;

/**
 * How many of the author's latest posts are searched for a post whose creation got no response. A hundred is more
 * than enough, because a person can create at most five posts a day.
 */
const listedPosts = 100;

/**
 * A client for a board with Canny's API. The API has no idempotency key, so callers check whether a post exists
 * before they create it. The client does not retry, because Temporal does. Throws ProviderError.
 */
export function createFeatureBoard({ baseUrl, apiKey, boardId }: FeatureBoardSettings) {
  const client = createProviderClient({
    provider: 'the feature board',
    baseUrl: `${baseUrl.replace(/\/+$/, '')}/api/v1`,
    headers: {},
    maxResponseBytes: 4_194_304,
  });
  const call = <T>(path: string, body: object, shape: z.ZodType<T>, limit: CallLimit): Promise<T> =>
    client.call({ method: 'POST', path, body: { apiKey, ...body } }, shape, limit);

  return {
    /**
     * Finds or creates the person by email address, and returns the person's id on the board. Other users see the name.
     */
    findOrCreateAuthor: async (
      { email, name }: { email: string; name: string },
      limit: CallLimit,
    ): Promise<string> => {
      const { id } = await call('/users/find_or_create', { email, name }, created, limit);
      return id;
    },

    /**
     * Returns the id of the person's latest post with this title and these details, or undefined. Only the person's
     * latest hundred posts are searched, and the posts in `except` are skipped.
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

    /** Creates a post. It is not idempotent: each call creates another post. */
    createPost: async (
      { authorId, title, details }: { authorId: string; title: string; details: string },
      limit: CallLimit,
    ): Promise<string> => {
      const post = { boardID: boardId, authorID: authorId, title, details };
      const { id } = await call('/posts/create', post, created, limit);
      return id;
    },

    /** Waits for the calls in flight. */
    close: client.close,
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

/** Normalizes a text for comparison, because the board may change the white space of what it stores. */
const oneForm = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
