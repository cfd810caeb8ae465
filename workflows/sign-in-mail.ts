import { proxyActivities } from '@temporalio/workflow';
import type { SignInActivities } from '../activities/identity/sign-in';
import { urgentMails } from './policies';

const { sendSignInMail } = proxyActivities<SignInActivities>(urgentMails);

/**
 * Mails the sign-in link for the console that a person requested. The activity creates the link's token, so that the
 * workflow's history contains only the id.
 */
export async function signInMail({ sign_in_id }: { sign_in_id: string }): Promise<void> {
  await sendSignInMail({ sign_in_id });
}
