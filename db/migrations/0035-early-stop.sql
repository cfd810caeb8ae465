-- An attempt whose interview allows it (`early_stop`) is stopped early when its answers are enough, or empty
-- (docs/taking.md#early-stop).
alter table attempt_plan
  add column stopped_after integer, -- the place in the plan after which no scored question is asked
  add column stopped_because text check (stopped_because in ('enough', 'empty'));
