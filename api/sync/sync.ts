import { z } from 'zod';
import type { Requester } from '../../db/platform/database';
import {
  deletionReasons,
  firstFeedPosition,
  keptDays,
  listChanges,
  syncObjects,
} from '../../db/sync/changes';
import type { SyncObject } from '../../db/sync/changes';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { namedEnum } from '../platform/operation/named-enums';
import { pagingInteger, text, timestamp } from '../platform/operation/vocabulary';
import { openCursor, requireCursorScope, sealCursor } from './cursor';
import { mirroredObjects, objectMeanings } from './objects';
import { readBodies } from './read-bodies';
import { cursorField, cursorReply, hasMore, lagMs, mirrorRoles } from './sync-fields';

const syncObject = namedEnum(
  'SyncObject',
  syncObjects,
  'A kind of object that can be mirrored. `body` is what the operation that reads such an object returns:',
  objectMeanings,
);

const id = z.string().meta({ description: 'Id of the object. It is unique among objects of its kind.' });
const version = z.int().meta({
  description:
    'Rises with every change of the object. An entry whose version you have already may be skipped.',
});

const entryOf = <Kind extends SyncObject>(object: Kind) =>
  z.object({
    object: z.literal(object).meta({ description: `An object of the kind ${object}.` }),
    id,
    version,
    changed_at: timestamp.meta({ description: 'When the transaction began that changed the object last.' }),
    body: mirroredObjects[object].body,
  });

const entry = z.discriminatedUnion('object', [
  entryOf('interview'),
  entryOf('position'),
  entryOf('candidate'),
  entryOf('invitation'),
  entryOf('result'),
  entryOf('decision'),
  entryOf('credit_entry'),
  entryOf('audit_entry'),
  entryOf('team_member'),
  entryOf('report'),
  entryOf('knowledge_base'),
  entryOf('directory'),
]);

const deletion = z.object({
  object: syncObject,
  id,
  version,
  deleted_at: timestamp.meta({ description: 'When the object was deleted.' }),
  reason: namedEnum('DeletionReason', deletionReasons, 'Why an object is gone.', {
    deleted: 'A person deleted or withdrew it, or it is hidden from the caller.',
    erased: 'The platform erased it, because its retention time has passed.',
    merged: 'It became part of another object. Not used yet.',
  }),
});

export const sync = defineOperation({
  name: 'sync',
  method: 'GET',
  tag: 'Sync',
  summary: 'Read everything that has changed since a cursor',
  description: `Returns all objects of the account in the credential's environment, and from then on every change, so that you can hold a complete copy. Begin
without \`cursor\`, send the \`cursor\` of each reply with the next call, and store what you get together with the cursor. While \`has_more\` is true, call
again at once. When it is false, your copy has everything that was committed \`lag_ms\` before; call again later with the same cursor.

An object that changes while you read comes again. Entries may repeat: write them by \`object\` and \`id\`. Deletions are kept for ${keptDays} days. A
cursor that is older, or belongs to another account, environment or list of \`objects\`, and every cursor after the platform was restored from a backup, gets
a 410 \`sync_cursor_expired\`: begin again without a cursor, and then delete what did not come.

Owners, service keys, and admins who send \`merchant_id\` may call it. A reply ends early when it is large, so it can have fewer entries than \`limit\`.`,
  roles: mirrorRoles,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    objects: text(300)
      .transform((list, context) => {
        const asked = list.split(',').map((each) => each.trim());
        const unknown = asked.find((each) => !(syncObjects as readonly string[]).includes(each));
        if (unknown !== undefined)
          context.addIssue({
            code: 'custom',
            message: `must be a list of ${syncObjects.join(', ')}, separated by commas`,
            params: { code: 'invalid_value' },
          });
        return syncObjects.filter((each) => asked.includes(each));
      })
      .optional()
      .meta({
        type: 'string',
        description: `The kinds of objects to read, separated by commas. Left out: all that the caller may read. Kinds: ${syncObjects.join(', ')}.`,
      }),
    cursor: cursorField,
    limit: pagingInteger(1, 500, 100).meta({ description: 'Maximum number of entries to return, 1 to 500.' }),
  }),
  example: { objects: 'interview,result', limit: '100' },
  reply: z.object({
    data: z
      .array(entry)
      .meta({ description: 'Objects that are new or have changed, in the order of their changes.' }),
    deleted: z.array(deletion).meta({ description: 'Objects that are gone.' }),
    cursor: cursorReply,
    has_more: hasMore,
    lag_ms: lagMs,
  }),
  replyExample: {
    data: [
      {
        object: 'decision',
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
        version: 3,
        changed_at: '2026-01-16T10:12:04.000Z',
        body: {
          interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1',
          attempt: 1,
          recruiter_go_next_round: true,
          recruiter_shortlist: false,
          user_feedback_recruiter: null,
          stage: 'Interview 2nd planned',
          decided_by: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
          decided_at: '2026-01-16T10:12:04.000Z',
        },
      },
    ],
    deleted: [
      {
        object: 'interview',
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        version: 7,
        deleted_at: '2026-01-16T10:12:05.000Z',
        reason: 'deleted',
      },
    ],
    cursor: 'AWvSx1JkYzVjM2E0ZTY3ZjAxYjQ',
    has_more: false,
    lag_ms: 0,
  },
  statuses: [410],
  /** Finds the changes in one round trip, and reads the bodies only if there are any (docs/sync.md#reading). */
  async handle({ input, caller }, { database, seal, consoleUrl }) {
    const objects = input.objects ?? readable(caller);
    if (objects.some((object) => !readable(caller).includes(object)))
      throw new ApiError(
        'not_applicable',
        'objects must not name team_member if a service key asks.',
        'objects',
      );
    const of = `sync ${objects.join(',')}`;
    const cursor = input.cursor === undefined ? undefined : openCursor(seal, input.cursor, of);
    const rows = await database.query(
      caller,
      listChanges(objects, cursor ?? firstFeedPosition, input.limit + 1),
    );
    const [facts] = rows;
    if (!facts) throw new Error('the feed of changes has no generation');
    const now = Date.parse(facts.now);
    const scope = { ...facts, of };
    if (cursor) requireCursorScope(cursor, scope, now, keptDays);
    const changes = rows.flatMap(({ id: changed, ...row }) =>
      changed === null ? [] : [{ ...row, id: changed }],
    );
    const { data, deleted, read } =
      changes.length === 0
        ? { data: [], deleted: [], read: 0 }
        : await readBodies(changes.slice(0, input.limit), { database, caller, consoleUrl });
    const has_more = read < changes.length;
    // At the end, the reader has everything before the boundary, so the next call need not look at it again.
    const place = (has_more && changes[read - 1]) || { ...firstFeedPosition, tx: facts.boundary };
    const since = has_more && cursor ? cursor.since : now;
    return {
      data: data as z.input<typeof entry>[],
      deleted,
      cursor: sealCursor(seal, scope, { ...place, since }),
      has_more,
      lag_ms: Math.round(facts.lag_ms),
    };
  },
});

/** Returns the kinds of objects whose reading operation the caller may call. */
const readable = ({ kind }: Requester): SyncObject[] =>
  syncObjects.filter((object) => kind !== 'service_key' || mirroredObjects[object].serviceKeys);
