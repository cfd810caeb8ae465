import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { availableUntil } from '../platform/text/available-until';
import type {
  CandidateRegistration,
  jobInterviewRegisterUsers,
  RegisterUsers,
} from './job-interview-register-users.contract';
import { candidateRow } from './user-rows';
import type { CandidateRow } from './user-rows';
import { recordAct } from '../../db/platform/audit';
import { emailKey } from '../../db/people/email-key';
import type { EnrolmentScope } from '../../db/people/enrolments';
import type { Links } from '../../db/platform/link-tokens';
import type { Transaction } from '../../db/platform/scope';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { findScopes, noInvitationsLeft, readKnown, refusalOf, reserve, storePeople } from './enrol';
import type { Stored } from './enrol';
import { planEnrolments, toWanted } from './enrolment-plan';
import type { Person, Wanted } from './enrolment-plan';
import { echoOf, judgeRow, textOf } from './judge-row';
import type { Judged, RowError } from './judge-row';
import { mailedOften, openMailLimit } from './mail-limit';
import { mapInTurns } from '../platform/operation/map-in-turns';
import { queueMails } from './queue-mails';
import { recompileInterview } from '../interviews/public';
import { findMailable, notATestRecipient } from './test-recipients';

type Contract = typeof jobInterviewRegisterUsers;
/** A scope that people can be enrolled at. */
type OpenScope = EnrolmentScope & { interview_id: string };
type Outcome = { row?: CandidateRow; person?: Person; failed?: RowError };

const storedKeys = new Set(Object.keys(candidateRow.shape));

/** Registers candidates and returns their links (docs/people.md#registering-candidates). */
export const registerUsers: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }, { links, bulk }) =>
  bulk(input.users.length, () =>
    write(async (trx) => {
      const scope = await findScope(trx, input);
      const judged = await judgeRows(trx, input);
      const wanted = judged.map(({ row }) => (row ? toWanted(row, scope) : undefined));
      const known = await readKnown(
        trx,
        wanted.filter((row) => row !== undefined),
      );
      const planUpTo = (limit: number) => plan(scope, known, judged, wanted, limit);
      let planned = planUpTo(Number.POSITIVE_INFINITY);
      if (input.send_email) {
        const granted = await reserve(trx, planned.people.length);
        if (granted < planned.people.length) planned = planUpTo(granted);
      }
      // Behind the locks of scope and account, which everybody takes before the interview's row.
      if (input.is_test && scope.is_draft && planned.people.length > 0)
        await recompileInterview(trx, scope.interview_id);
      const { people, outcomes } = planned;
      // A test leaves the invitation of the candidate still to come.
      const invited = new Set(input.send_email && !input.is_test ? people : []);
      const stored = await storePeople(trx, people, invited, scope.platform_language_code);
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
          recordAct('job-interview-register-users', scope.scope_id, {
            people: people.length,
            send_email: input.send_email,
            is_test: input.is_test,
          }),
        );
      return mapInTurns(outcomes, (outcome, index) => toReply(input, index, outcome, scope, stored, links));
    }),
  );

async function findScope(trx: Transaction, input: RegisterUsers): Promise<OpenScope> {
  const scopes = await findScopes(trx, [input.interview_id]);
  const scope = scopes.get(input.interview_id.toLowerCase());
  const refusal = refusalOf(scope);
  if (!scope || scope.interview_id === null || refusal !== undefined)
    throw new ApiError(
      refusal?.code === 'interview_closed' ? 'not_permitted_state' : 'unknown_id',
      refusal?.error ?? 'interview_id names no interview or position',
      'interview_id',
    );
  return { ...scope, interview_id: scope.interview_id };
}

/** Judges each row; with `send_email` also whether its address may get a mail, and one more today. */
async function judgeRows(
  trx: Transaction,
  { users, send_email }: RegisterUsers,
): Promise<Judged<CandidateRow>[]> {
  const judged = await mapInTurns(users, (sent) => judgeRow(sent, candidateRow, storedKeys));
  if (!send_email) return judged;
  const keyOf = ({ row }: Judged<CandidateRow>) => (row ? emailKey(row.email) : '');
  const keys = judged.map(keyOf);
  const mails = await openMailLimit(trx, keys);
  const mayMail = await findMailable(trx, keys);
  return judged.map((one) => {
    if (!one.row) return one;
    if (!mayMail(keyOf(one))) return notATestRecipient;
    // Within one interview an address gets one mail, however many rows name it.
    return mails.isReached(keyOf(one)) ? mailedOften : one;
  });
}

const torn: RowError = { code: 'external_id_taken', error: 'external_id belongs to another candidate' };

/** Folds the rows into at most `limit` people. */
function plan(
  scope: EnrolmentScope,
  known: Parameters<typeof planEnrolments>[0],
  judged: Judged<unknown>[],
  wanted: (Wanted | undefined)[],
  limit: number,
): { people: Person[]; outcomes: Outcome[] } {
  const book = planEnrolments(known, new Map([[scope.scope_id, scope]]));
  const people = new Set<Person>();
  const outcomes = wanted.map((row, index): Outcome => {
    const failed = judged[index];
    if (!row) return failed?.error === undefined ? {} : { failed };
    if (book.isTorn(row)) return { failed: torn };
    const person = book.find(row);
    if (people.size >= limit && !(person && people.has(person))) return { failed: noInvitationsLeft };
    const applied = book.apply(row);
    people.add(applied);
    return { row, person: applied };
  });
  return { people: [...people], outcomes };
}

async function toReply(
  input: RegisterUsers,
  index: number,
  { row, person, failed }: Outcome,
  scope: OpenScope,
  stored: Map<Person, Stored>,
  links: Links,
): Promise<CandidateRegistration> {
  const sent = input.users[index];
  const own = person && stored.get(person);
  if (!row || !own) {
    if (!failed) throw new Error('a row was left without a result');
    return {
      ...echoOf(sent),
      name: textOf(sent, 'name'),
      email: textOf(sent, 'email'),
      external_id: textOf(sent, 'external_id'),
      phone: textOf(sent, 'phone'),
      result: `Error: ${failed.error}`,
      code: failed.code,
    };
  }
  const interview_url = await links.interviewUrl(
    {
      enrolmentId: own.enrolment_id,
      interviewId: scope.interview_id,
      generation: own.link_generation,
      isTest: input.is_test,
    },
    {
      availableTill: availableUntil(scope.interview_available_till),
      hideMenu: input.hide_menu,
      hideIframe: input.hide_iframe,
    },
  );
  const { name, email, external_id, phone } = row;
  return { ...echoOf(sent), name, email, external_id, phone, result: 'ok', code: 'ok', interview_url };
}
