-- The interviews that were steps of the position and are none any more.
alter table position add column former_step_ids uuid[] not null default '{}';

-- The extension is one of those that the owner of a database may create. Nobody may use its schema, so nobody may call its
-- functions.
create schema extension;
create extension pg_trgm schema extension;
create index interview__merchant_id_environment_created_at_id on interview (merchant_id, environment, created_at, id)
  include (status, type, name, code) where built_at is not null and status <> 'deleted';
create index interview__merchant_id_environment_status_created_at_id
  on interview (merchant_id, environment, status, created_at, id) where built_at is not null and status <> 'deleted';
create index interview__merchant_id_environment_type_created_at_id
  on interview (merchant_id, environment, type, created_at, id) where built_at is not null and status <> 'deleted';
create index interview__tags on interview using gin (tags);
create index interview__name_code on interview
  using gin (name extension.gin_trgm_ops, code extension.gin_trgm_ops);
create index position__merchant_id_environment_created_at_id on position (merchant_id, environment, created_at, id)
  where status <> 'deleted';

-- The results of each step, which are also counted for the position.
alter table interview_result no force row level security;
alter table enrolment no force row level security;
alter table account_count no force row level security;
insert into account_count (merchant_id, environment, metric, scope_id, value, folded)
  select r.merchant_id, r.environment, 'step_results', r.interview_id, count(*), true
  from interview_result r join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
  where e.position_id is not null and not r.is_test group by 1, 2, 4;
alter table interview_result force row level security;
alter table enrolment force row level security;
alter table account_count force row level security;
