-- How many answers have no transcript because their sound was deleted before one could be made (docs/taking.md#attempts-that-fail).
alter table attempt_plan add column lost_answers integer not null default 0;
