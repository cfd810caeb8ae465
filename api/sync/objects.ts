import type { SyncObject } from '../../db/sync/changes';
import { mirroredAudit, mirroredCredits } from '../account/public';
import { mirroredDirectories } from '../catalogue/public';
import { mirroredTeam } from '../identity/public';
import { mirroredDefinitions, mirroredKnowledgeBases } from '../interviews/public';
import { mirroredCandidates, mirroredInvitations } from '../people/public';
import type { MirroredKind } from '../platform/operation/mirrored';
import { mirroredReports } from '../reports/public';
import { mirroredDecisions, mirroredResults } from '../results/public';

/** How objects of each kind are read. */
export const mirroredObjects = {
  interview: mirroredDefinitions,
  position: mirroredDefinitions,
  candidate: mirroredCandidates,
  invitation: mirroredInvitations,
  result: mirroredResults,
  decision: mirroredDecisions,
  credit_entry: mirroredCredits,
  audit_entry: mirroredAudit,
  team_member: mirroredTeam,
  report: mirroredReports,
  knowledge_base: mirroredKnowledgeBases,
  directory: mirroredDirectories,
} satisfies Record<SyncObject, MirroredKind>;

/** What the documentation says about each kind. */
export const objectMeanings: Record<SyncObject, string> = {
  interview: 'as `job-interview-get`',
  position: 'as `job-interview-get`',
  candidate: 'as an entry of `merchant-candidate-list`; its id is `profile_interview_id`',
  invitation: 'as an entry of `merchant-invitation-list`',
  result: 'as `job-interview-details` without signed addresses',
  decision: 'what recruiters decided and noted about a result, with the id of the result',
  credit_entry: 'as an entry of `merchant-credit-list`',
  audit_entry: 'as an entry of `merchant-audit-list`',
  team_member: 'as an entry of `team-member-list`; its id is `profile_id`. Not for service keys',
  report: 'as `report-get` without `schedules` and `saved_filters`',
  knowledge_base: 'as `knowledge-base-get`',
  directory: 'as `catalogue-tag-get`; only directories of the merchant',
};
