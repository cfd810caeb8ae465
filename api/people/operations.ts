import type { Operation } from '../platform/operation/define-operation';
import { jobInterviewRegisterUsers } from './job-interview-register-users';
import { inviteUsers } from './invite-users';

/** The operations in the order of the API reference. */
export const peopleOperations: readonly Operation[] = [jobInterviewRegisterUsers, inviteUsers];
