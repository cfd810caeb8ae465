import type { Operation } from '../platform/operation/define-operation';
import { jobInterviewRegisterUsers } from './job-interview-register-users';
import { inviteUsers } from './invite-users';

/** In the order of the reference. */
export const peopleOperations: readonly Operation[] = [jobInterviewRegisterUsers, inviteUsers];
