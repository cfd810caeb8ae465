/** The database roles that a login becomes by `app.begin_request` or `app.begin_as`. */
export const databaseRoles = [
  'app_user',
  'app_service',
  'app_link',
  'app_portal',
  'app_auth',
  'app_mail_hook',
  'app_worker',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];
/** Never anybody's role: the owner of the security definer functions. */
export type GrantedRole = DatabaseRole | 'app_definer';
export type Command = 'select' | 'insert' | 'update' | 'delete';
export type Grants = Readonly<Record<string, readonly Command[]>>;

const callers: Grants = {
  account_count: ['select'],
  audit_entry: ['select', 'insert'],
  credit_account: ['select'],
  embed_key: ['select', 'insert', 'update'],
  enrolment: ['select', 'insert', 'update'],
  idempotency_key: ['select', 'insert', 'update', 'delete'],
  interview: ['select', 'insert', 'update'],
  interview_question: ['select', 'insert', 'delete'],
  interview_result: ['select'],
  interview_template: ['select'],
  invitation_batch: ['select', 'insert'],
  knowledge_base: ['select'],
  mail: ['insert'],
  merchant: ['select'],
  merchant_access: ['select', 'insert'],
  position: ['select', 'update'],
  position_step: ['select'],
  profile: ['select', 'insert'],
  question: ['select', 'insert'],
  workflow_start: ['insert'],
};

/**
 * Who may do what to which table, on some of its columns or all: what the migrations grant, said once more in one
 * place. A migration that grants something changes this table with it: the catalogue test compares the two, the
 * matrix test tries each command of each role, granted or not.
 */
export const grants: Readonly<Record<GrantedRole, Grants>> = {
  app_user: { ...callers, merchant: ['select', 'update'], service_key: ['select', 'insert', 'update'] },
  app_service: callers,
  app_link: {
    enrolment: ['select'],
    interview: ['select'],
    merchant: ['select'],
    position: ['select'],
  },
  app_portal: {},
  app_auth: {
    merchant: ['select'],
    merchant_access: ['select'],
    profile: ['select', 'update'],
    refresh_token: ['select', 'insert', 'update'],
    service_key: ['select', 'update'],
    session: ['select', 'update'],
  },
  app_mail_hook: { mail: ['select', 'update'] },
  app_worker: {
    account_count: ['select', 'insert', 'update', 'delete'],
    embed_key: ['insert'],
    enrolment: ['select'],
    idempotency_key: ['select', 'delete'],
    interview: ['select', 'update', 'delete'],
    interview_question: ['insert'],
    interview_result: ['select'],
    interview_template: ['select'],
    invitation_batch: ['select'],
    knowledge_base: ['select'],
    mail: ['select', 'insert', 'update'],
    merchant: ['select'],
    model_call: ['insert'],
    position: ['select'],
    profile: ['select'],
    question: ['insert'],
    refresh_token: ['select', 'delete'],
    sign_in_link: ['select', 'update', 'delete'],
    workflow_start: ['select', 'update', 'delete'],
  },
  app_definer: {
    account_count: ['insert'],
    credit_account: ['select', 'insert', 'update'],
    credit_entry: ['select', 'insert'],
    enrolment: ['select'],
    interview: ['select', 'delete'],
    interview_result: ['select', 'update'],
    interview_template: ['select'],
    merchant: ['select'],
    merchant_access: ['select'],
    profile: ['select'],
    refresh_token: ['insert'],
    service_key: ['select'],
    session: ['select', 'insert', 'update'],
    sign_in_link: ['select', 'insert', 'update'],
    workflow_start: ['insert'],
  },
};
