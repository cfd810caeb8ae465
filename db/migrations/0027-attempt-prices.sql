-- An attempt costs what its interview cost when it began (docs/account.md#credits).
alter table attempt_plan
  add column price numeric(12, 2), -- null for attempts that began before prices were stored
  add column price_if_early numeric(12, 2); -- if it ends with the status `completed, stopped early`

-- Attempts of accounts that have changed to the plan Special wait for credits no longer. The owner of the tables reads and
-- changes all rows while row-level security is not forced on them.
alter table credit_account no force row level security;
alter table unpaid_attempt no force row level security;
delete from unpaid_attempt u using credit_account a where a.merchant_id = u.merchant_id and a.plan = 'Special';
alter table credit_account force row level security;
alter table unpaid_attempt force row level security;

-- Replaced by app.has_credits_left, and by functions with other parameters.
drop function if exists app.has_practice_left(uuid, uuid);
drop function if exists app.has_visit_left(credit_account);
drop function if exists app.reserve_invitations(integer);
drop function if exists app.reserve_test_invitations(integer);
