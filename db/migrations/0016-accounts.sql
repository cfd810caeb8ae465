-- What a merchant's pages, mails and PDFs look like (docs/account.md#logo-and-accent-color).
alter table merchant
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  add column logo_path text check (logo_path ~ '^[0-9a-f-]{36}/logo/[0-9a-f]{32}[.]png$');

-- Credits of coaching, and what an entry of the ledger tells (docs/account.md#credits).

alter table credit_account
  add column coaching_limit numeric(12, 2) not null default 0 check (coaching_limit >= 0),
  add column coaching numeric(12, 2) not null default 0 check (coaching >= 0);

alter table credit_entry
  drop constraint credit_entry_bucket_check,
  add constraint credit_entry_bucket_check check (bucket in ('monthly', 'single', 'extra', 'coaching')),
  add column balance_after numeric(12, 2) check (balance_after >= 0),
  -- Null for entries that the product makes by itself, such as renewals and charges.
  add column reason text check (char_length(reason) between 1 and 500),
  add column actor text check (actor in ('platform_admin', 'platform_key')),
  -- The interview or position that single credits are for.
  add column position_id uuid;
create index credit_entry__merchant_id_position_id on credit_entry (merchant_id, position_id)
  where position_id is not null;

-- The owner of the table reads and changes all rows while row-level security is not forced on it.
alter table credit_entry no force row level security;
update credit_entry e set balance_after = s.balance
  from (
    select id, greatest(0, sum(amount) over (partition by merchant_id, bucket order by created_at, id)) as balance
    from credit_entry
  ) s
  where s.id = e.id;
alter table credit_entry force row level security;
alter table credit_entry alter column balance_after set not null;
