import { z } from 'zod';
import { findPortalDomain } from '../../db/account/public';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';
import { recompileInterview } from '../interviews/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { dryRun } from '../platform/operation/dry-run';
import { mapInTurns } from '../platform/operation/map-in-turns';
import { uuid, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { availableUntil } from '../platform/text/available-until';
import { findScopes, lockAndReadCandidates, reserveUpTo, storePeople, checkAcceptsCandidates } from './enrol';
import type { OpenScope, StoredPerson } from './enrol';
import { toEnrolmentRequest } from './enrolment-plan';
import type { PlannedCandidate } from './enrolment-plan';
import { queueMails } from './queue-mails';
import { registrationOutcome, recordInvitations } from './record-invitations';
import { planRows, validateRows } from './register-rows';
import type { RowOutcome } from './register-rows';
import { candidateRow, dryRunField, rowCode, userRowsSchema } from './user-rows';
import { echoedFields, isRow, sentTextOf } from './validate-row';

/**
 * A boolean from JSON or from a form. Any other value is a 422, because a mistaken `is_test: 1` must not register real
 * candidates.
 */
const flag = (effect: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false'])], 'must be true or false')
    .nullish()
    .transform((value) => value === true || value === 'true')
    .meta({
      description: `True, or the string "true", ${effect}. False, "false" and null leave it off.`,
      default: false,
      override: ({ jsonSchema }: { jsonSchema: { anyOf?: unknown } }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: ['boolean', 'string', 'null'], pattern: '^(true|false)$' });
      },
    });

const maybe = (description: string) => z.string().nullable().meta({ description });

const inputSchema = z.object({
  users: userRowsSchema('CandidateRow'),
  interview_id: uuid.meta({
    description:
      'Id of the interview definition or position. In a position, candidates are enrolled at the first step.',
  }),
  send_email: fieldWithDefault(z.boolean(), false).meta({
    description: 'True also sends each person the link by email, which uses one invitation of the budget.',
  }),
  hide_menu: flag('hides the help with microphone, camera and connection'),
  hide_iframe: flag('hides the header and the frame of the pages, and that help'),
  is_test: flag(
    'creates test links: they also open a draft, and their results cost nothing and are not counted',
  ),
  dry_run: dryRunField,
});

const replySchema = z.array(
  z
    .looseObject({
      name: maybe('Name of the candidate, as it was sent.'),
      email: maybe('Email address, as it was sent.'),
      external_id: maybe('Your own reference, as it was sent.'),
      phone: maybe('Phone number, as it was sent.'),
      result: z.string().meta({
        description: '`ok`, or `Error: ` followed by what is wrong with the row.',
        examples: ['ok'],
      }),
      code: rowCode,
      interview_url: z.string().optional().meta({
        format: 'uri',
        description:
          "The candidate's personal link to the interview. Present if `result` is `ok`, but not in a dry run.",
      }),
      profile_interview_id: z.string().optional().meta({
        description:
          'Id of the enrolment, as in results and webhooks. Present together with `interview_url`.',
      }),
    })
    .meta({
      id: 'CandidateRegistration',
      description: 'The outcome of a row, with the fields of your own that the row had.',
    }),
);

type RegisterUsers = z.output<typeof inputSchema>;
type CandidateRegistration = z.input<typeof replySchema>[number];

export const jobInterviewRegisterUsers = defineOperation({
  name: 'job-interview-register-users',
  method: 'POST',
  tag: 'People',
  summary: 'Register candidates for an interview or position and get their links',
  description: `Registers candidates for an interview or a position and returns a personal link for each. The reply has one entry for each row of
\`users\`, in the same order: \`result\` is \`ok\`, or \`Error: …\` without an \`interview_url\`. Only \`email\` is required. The entry repeats
fields of your own that are under 1 KiB each, except \`result\`, \`code\`, \`interview_url\` and \`profile_interview_id\`, which are set by the reply.

If the interview already has the candidate, by \`external_id\` or else by email (case is ignored), the candidate is updated. Omitted fields keep their value, and
a new email address revokes the links that were sent to the old one. If two rows are about the same person, the later row wins.

Candidates of a draft can be registered, but their links open only once it is active; with \`is_test\` they open at once, and the draft is compiled
again first. An interview that is archived, completed or past its end is a 422.

A link is valid for one attempt. It expires after 30 days, or at \`interview_available_till\`. All links of an attempt work until the attempt is submitted. With
\`send_email\` each person also gets the link by email, in the language of the interview. If the account has no invitations left, the row is
\`Error: No invitations left in this period\` and is not registered. A person gets at most five invitation emails of a merchant in 24 hours; further
rows have the code \`invitation_limit_reached\` and are not registered either. Outside production, such emails go only to test recipients and have a daily
limit (see [Environments]({origin}/docs/environments)). Reminders follow if the account has them turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  rows: 'users',
  row: candidateRow,
  input: inputSchema,
  example: {
    users: [{ name: 'Ann Lee', email: 'ann@example.com', external_id: 'crm-4711' }],
    interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
  },
  reply: replySchema,
  replyExample: [
    {
      name: 'Ann Lee',
      email: 'ann@example.com',
      external_id: 'crm-4711',
      phone: null,
      result: 'ok',
      code: 'ok',
      interview_url:
        'https://portal.example.com/interview/take/01a1fcf7-b13e-74de-bd85-c2fc187618e1/?interview_token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln',
      profile_interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b3',
    },
  ],
  statuses: [409],
  /** Registers candidates and returns their links (docs/people.md#registering-candidates). */
  async handle({ input, caller, write }, { database, links, bulk }) {
    const { merchant_id } = await database.read(caller, (trx) => trx.merchantScope());
    const run: typeof write = (work) => (input.dry_run ? dryRun(database, caller, work) : write(work));
    return bulk(merchant_id, input.users.length, () =>
      run(async (trx) => {
        const scope = await findScope(trx, input);
        const validated = await validateRows(trx, scope, input);
        const wanted = validated.map(({ row }) => (row ? toEnrolmentRequest(row, scope) : undefined));
        const known = await lockAndReadCandidates(
          trx,
          wanted.filter((row) => row !== undefined),
        );
        const planUpTo = (limit: number) => planRows(scope, known, validated, wanted, limit);
        let planned = planUpTo(Number.POSITIVE_INFINITY);
        if (input.send_email) {
          const granted = await reserveUpTo(trx, planned.people.length);
          if (granted < planned.people.length) planned = planUpTo(granted);
        }
        // Recompiling locks the row of the interview. To avoid deadlocks, all calls lock in the same order: first the
        // interview's or position's enrollment (an advisory lock), then the account, then this row.
        if (input.is_test && scope.is_draft && planned.people.length > 0)
          await recompileInterview(trx, scope.interview_id);
        const { people, outcomes } = planned;
        // A test link does not count as the candidate's invitation.
        const invited = new Set(input.send_email && !input.is_test ? people : []);
        const stored = await storePeople(trx, people, invited, {
          language: scope.platform_language_code,
          source: 'registered',
        });
        if (input.send_email)
          await queueMails(
            trx,
            {
              platform_language_code: scope.platform_language_code,
              message_from_recruiter: null,
              hide_menu: input.hide_menu,
              hide_iframe: input.hide_iframe,
              is_test: input.is_test,
            },
            [...stored.values()].map(({ profile_id, enrolment_id }) => ({
              kind: 'candidate_invitation',
              profile_id,
              enrolment_id,
            })),
          );
        if (people.length > 0)
          await trx.count(
            recordAuditEntry('job-interview-register-users', scope.scope_id, {
              people: people.length,
              send_email: input.send_email,
              is_test: input.is_test,
            }),
          );
        const invitations = outcomes.flatMap(({ person, failed }, index) =>
          isRow(input.users[index])
            ? registrationOutcome(input, scope, person && stored.get(person), {
                code: failed?.code,
                email: sentTextOf(input.users[index], 'email'),
              })
            : [],
        );
        await recordInvitations(trx, invitations);
        const { portal_domain: portalDomain } = await trx.one(findPortalDomain);
        const link: LinkTokens['interviewUrl'] = (to, more) =>
          links.interviewUrl(to, { ...more, portalDomain });
        return mapInTurns(outcomes, (outcome, index) => toReply(input, index, outcome, scope, stored, link));
      }),
    );
  },
});

async function findScope(trx: Transaction, input: RegisterUsers): Promise<OpenScope> {
  const scopes = await findScopes(trx, [input.interview_id]);
  const { scope, error } = checkAcceptsCandidates(scopes.get(input.interview_id.toLowerCase()));
  if (scope) return scope;
  const code = error.code === 'interview_closed' ? 'not_permitted_state' : 'unknown_id';
  throw new ApiError(code, error.error, 'interview_id');
}

async function toReply(
  input: RegisterUsers,
  index: number,
  { row, person, failed }: RowOutcome,
  scope: OpenScope,
  stored: Map<PlannedCandidate, StoredPerson>,
  link: LinkTokens['interviewUrl'],
): Promise<CandidateRegistration> {
  const sent = input.users[index];
  const own = person && stored.get(person);
  if (!row || !own) {
    if (!failed) throw new Error('a row was left without a result');
    return {
      ...echoedFields(sent),
      name: sentTextOf(sent, 'name'),
      email: sentTextOf(sent, 'email'),
      external_id: sentTextOf(sent, 'external_id'),
      phone: sentTextOf(sent, 'phone'),
      result: `Error: ${failed.error}`,
      code: failed.code,
    };
  }
  const { name, email, external_id, phone } = row;
  const registered = { ...echoedFields(sent), name, email, external_id, phone, result: 'ok', code: 'ok' };
  if (input.dry_run) return registered;
  const interview_url = await link(
    {
      enrolmentId: own.enrolment_id,
      interviewId: person?.known?.interview_id ?? scope.interview_id,
      generation: own.link_generation,
      isTest: input.is_test,
    },
    {
      availableTill: availableUntil(scope.interview_available_till),
      hideMenu: input.hide_menu,
      hideIframe: input.hide_iframe,
    },
  );
  return { ...registered, interview_url, profile_interview_id: own.enrolment_id };
}
