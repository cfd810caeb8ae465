import { proxyActivities } from '@temporalio/workflow';
import type { SignInActivities } from '../activities/identity/sign-in';
import { urgentMails } from './policies';

const { sendSignInMail } = proxyActivities<SignInActivities>(urgentMails);

/** Mails the link into the console that somebody asked for. Its token is made by the activity: the history holds the id. */
export async function signInMail({ sign_in_id }: { sign_in_id: string }): Promise<void> {
  await sendSignInMail({ sign_in_id });
}
