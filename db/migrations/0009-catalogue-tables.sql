-- The coaching catalogue (docs/catalogue.md).

create table catalogue_directory (
  row_id uuid primary key default uuidv7(),
  merchant_id uuid references merchant (id) default app.merchant_id(), -- null: platform-wide
  id text collate "C" not null check (char_length(id) <= 200 and id ~ '^[a-z0-9]+([-_][a-z0-9]+)*$'),
  name text not null check (name <> ''),
  description text,
  platform_language_code text not null default 'en',
  visibility text not null default 'merchant_public' check (
    visibility in ('public', 'merchant_public', 'merchant_invite', 'merchant_unlisted')
  ),
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  cover_image_url text,
  coach_plan text check (coach_plan in ('demo', 'screening', '2nd', '3rd', 'closing', 'job-specific', 'other')),
  tags_sub text[] not null default '{}' check (cardinality(tags_sub) <= 1000), -- in the order of display
  tags_interview_set_filter text[] not null default '{}',
  content_md text, -- null: the default grid; '': an empty page
  -- The sessions that the cards of the page name. A session of visibility `sub_item` is reached only through such a card.
  session_ids uuid[] not null generated always as (app.session_cards(content_md)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  listed_bytes integer not null generated always as (
    app.directory_bytes(array[id, name, description, cover_image_url], tags_sub, tags_interview_set_filter)
  ) stored,
  -- The included columns let Postgres count and page lists with an index-only scan.
  constraint catalogue_directory_merchant_id_id_key
    unique nulls not distinct (merchant_id, id) include (row_id, status, visibility, platform_language_code),
  check ((merchant_id is null) = (visibility = 'public'))
);
-- Finds the directories of all merchants that have the id of a new platform-wide directory. Because merchant_id is in
-- the index, a lookup for one merchant does not read the directories of the others.
create index catalogue_directory__id_merchant_id on catalogue_directory (id, merchant_id);
-- Finds the stages of a coaching plan among a merchant's directories.
create index catalogue_directory__merchant_id_coach_plan on catalogue_directory (merchant_id, coach_plan)
  where coach_plan is not null;
create index catalogue_directory__merchant_id on catalogue_directory (merchant_id)
  where status = 'active' and session_ids <> '{}';
-- Finds the directories that nest a directory, or that list the sessions with some tags.
create index catalogue_directory__tags_sub_tags_interview_set_filter on catalogue_directory
  using gin (tags_sub, tags_interview_set_filter) with (fastupdate = off);
alter table catalogue_directory enable row level security, force row level security;
