import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { applyFault, type Faults } from './faults';
import { parseBody, parseJson } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';

type Post = {
  author_email: string;
  title: string;
  details: string;
  at: string;
  id: string;
  author_id: string;
  author_name: string;
  board_id: string;
};

type Author = { id: string; email: string; name: string; created: string };

const filled = z.string().min(1);
const credential = z.object({ apiKey: filled });
const authorBody = z.object({ email: z.email(), name: filled });
const postBody = z.object({ authorID: filled, boardID: filled, title: filled, details: z.string() });
const listBody = z.object({
  boardID: filled.optional(),
  authorID: filled.optional(),
  search: z.string().optional(),
  sort: z.enum(['newest', 'oldest', 'relevance', 'score', 'statusChanged', 'trending']).default('newest'),
  limit: z.int().min(1).max(10_000).default(10),
  skip: z.int().min(0).default(0),
});

type FeatureBoard = {
  posts: RecentRecords<Post>;
  /** Handles `POST /api/v1/*`. */
  answer: (req: Request, res: Response) => Promise<void>;
};

/**
 * The part of Canny's API that feature requests use: finding or creating people by email, creating posts, and listing
 * them. The API key is in the body. A request that gets a fault other than a delay does nothing, unless the fault has
 * `accept`.
 */
export function createFeatureBoard(faults: Faults, pauses: Delays): FeatureBoard {
  const posts = createRecentRecords<Post>();
  const authors = new Map<string, Author>();
  const run: Record<string, (body: unknown) => Outcome> = {
    '/users/find_or_create': (body) =>
      withParsed(authorBody, body, ({ email, name }) => ({ id: author(email, name).id })),
    '/posts/create': (body) =>
      withParsed(postBody, body, ({ authorID, boardID, title, details }) => {
        const by = [...authors.values()].find(({ id }) => id === authorID);
        if (!by) return refuse('invalid authorID');
        const post = {
          author_email: by.email,
          title,
          details,
          at: new Date().toISOString(),
          id: newId(),
          author_id: by.id,
          author_name: by.name,
          board_id: boardID,
        };
        posts.add(post);
        return { id: post.id };
      }),
    '/posts/list': (body) => withParsed(listBody, body, listPosts),
  };

  function author(email: string, name: string): Author {
    const known = authors.get(email.toLowerCase());
    const found = { ...(known ?? { id: newId(), email, created: new Date().toISOString() }), name };
    authors.set(email.toLowerCase(), found);
    return found;
  }

  function listPosts({ boardID, authorID, search, sort, limit, skip }: z.infer<typeof listBody>): Outcome {
    const matching = posts
      .list()
      .filter((post) => boardID === undefined || post.board_id === boardID)
      .filter((post) => authorID === undefined || post.author_id === authorID)
      .filter(({ title }) => search === undefined || title.toLowerCase().includes(search.toLowerCase()));
    const sorted = sort === 'oldest' ? matching : matching.toReversed();
    return {
      hasMore: skip + limit < sorted.length,
      posts: sorted.slice(skip, skip + limit).map((post) => ({
        id: post.id,
        author: {
          id: post.author_id,
          email: post.author_email,
          name: post.author_name,
          isAdmin: false,
          userID: null,
        },
        board: { id: post.board_id, name: 'Feature requests' },
        title: post.title,
        details: post.details,
        created: post.at,
        status: 'open',
        score: 1,
        commentCount: 0,
      })),
    };
  }

  return {
    posts,
    async answer(req, res) {
      const work = req.method === 'POST' ? run[req.path] : undefined;
      const fault = faults.take('board', { creates: req.path === '/posts/create' });
      const validate = (): Outcome => {
        if (!work) return { status: 404, error: 'not found' };
        const body = parseJson(req.body);
        return credential.safeParse(body).success ? work(body) : refuse('invalid apiKey');
      };
      const early = fault?.accept ? validate() : undefined;
      if (await applyFault(fault, res, pauses, (_status, error) => ({ error }))) return;
      if (fault?.malformed) {
        res
          .status(fault.status ?? 200)
          .type('json')
          .send('{"id": ');
        return;
      }
      const outcome = early ?? validate();
      if (isRefusal(outcome)) res.status(outcome.status).json({ error: outcome.error });
      else res.json(outcome);
    },
  };
}

type Refusal = { status: number; error: string };
type Outcome = Record<string, unknown> | Refusal;
const isRefusal = (outcome: Outcome): outcome is Refusal => typeof outcome['error'] === 'string';

const refuse = (error: string): Refusal => ({ status: 400, error });

function withParsed<T>(schema: z.ZodType<T>, body: unknown, work: (value: T) => Outcome): Outcome {
  const parsed = parseBody(schema, JSON.stringify(body));
  return parsed.ok ? work(parsed.value) : refuse(`invalid ${parsed.name ?? 'body'}`);
}

/** Ids have the same format as Canny's. */
const newId = () => randomBytes(12).toString('hex');
