-- True for actions on what all environments of an account share, such as its credits and its knowledge bases. Their entries
-- are in the audit log of every environment. The column is stored, because a policy calls no function of a row's column.
alter table audit_entry add column is_of_account boolean not null generated always as (
  act ~ '^(merchant|portal-domain|team-member|knowledge-base|catalogue-tag)-|^report-(create|update|share|archive)$'
) stored;
