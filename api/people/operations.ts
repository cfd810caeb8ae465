import type { Operation } from '../platform/operation/define-operation';
import { inviteUsers } from './invite-users';
import { jobInterviewRegisterUsers } from './job-interview-register-users';
import { jobInterviewSetTimeFactor } from './job-interview-set-time-factor';
import { merchantCandidateList } from './merchant-candidate-list';
import { merchantCandidateWithdraw } from './merchant-candidate-withdraw';
import { merchantInvitationList } from './merchant-invitation-list';

/** The operations in the order of the API reference. */
export const peopleOperations: readonly Operation[] = [
  jobInterviewRegisterUsers,
  inviteUsers,
  jobInterviewSetTimeFactor,
  merchantCandidateList,
  merchantCandidateWithdraw,
  merchantInvitationList,
];
