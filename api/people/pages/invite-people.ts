import { emailKey } from '../../../db/people/email-key';
import { jobInterviewGet } from '../../interviews/public';
import type { ApiError } from '../../platform/operation/api-error';
import { callOperation } from '../../platform/site/call-operation';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { inviteUsers } from '../invite-users';
import { jobInterviewRegisterUsers } from '../job-interview-register-users';
import type { InviteSettings } from './invite-settings';
import type { ListedPerson } from './people-file';

/** What becomes of a person: the result and code of the operation, and the link if no mail is sent. */
export type InviteOutcome = {
  person: ListedPerson;
  result: string;
  code: string;
  link?: string | undefined;
  /** The earlier row with the same address. */
  sameAs?: number | undefined;
};

/**
 * Invites people with `invite-users`, or registers them with `job-interview-register-users` if no mail is to be sent.
 * Returns the outcome of each, or the error of the call.
 */
export async function invitePeople(
  deps: ConsoleDeps,
  visit: ConsoleVisit,
  people: readonly ListedPerson[],
  settings: InviteSettings,
  { dryRun = false, key }: { dryRun?: boolean; key?: string } = {},
): Promise<{ outcomes: InviteOutcome[]; error?: undefined } | { outcomes?: undefined; error: ApiError }> {
  const { interview_id, send_email, message_from_recruiter } = settings;
  const users = people.map(({ row: _row, ...person }) => person);
  const { reply, error } = send_email
    ? await callOperation(
        deps,
        visit,
        inviteUsers,
        {
          users: users.map((person) => ({ ...person, type: 'candidate', interview_id })),
          platform_language_code: await languageOf(deps, visit, settings),
          message_from_recruiter,
          dry_run: dryRun,
        },
        { key },
      )
    : await callOperation(
        deps,
        visit,
        jobInterviewRegisterUsers,
        { users, interview_id, dry_run: dryRun },
        { key },
      );
  if (error) return { error };
  const first = new Map<string, number>();
  return {
    outcomes: people.map((person, index) => {
      const { result = '', code = '', ...row } = reply[index] ?? {};
      const address = emailKey(person.email);
      const sameAs = first.get(address);
      if (sameAs === undefined && person.email !== '') first.set(address, person.row);
      return {
        person,
        result,
        code,
        sameAs,
        link: 'interview_url' in row && typeof row.interview_url === 'string' ? row.interview_url : undefined,
      };
    }),
  };
}

/** The chosen language of the mail, or that of the interview. */
async function languageOf(deps: ConsoleDeps, visit: ConsoleVisit, settings: InviteSettings) {
  const { platform_language_code: chosen, interview_id: position_id } = settings;
  if (chosen !== '') return chosen as 'en';
  const { reply } = await callOperation(deps, visit, jobInterviewGet, { position_id });
  return reply?.platform_language_code as 'en' | undefined;
}
