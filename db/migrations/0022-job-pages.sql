-- The slug is the end of the address of a portal page, so it is unique over all merchants. Interviews and positions that
-- already have a visibility with a page get one here, made as `slugFor` (db/interviews/slug.ts) makes it. `updated_at`
-- stays, because nothing that callers set has changed.
alter table interview no force row level security, disable trigger user;
alter table position no force row level security, disable trigger user;
do $$
declare
  any_table text;
begin
  foreach any_table in array array['interview', 'position'] loop
    execute format($sql$
      update %I set slug = concat_ws('-', nullif(trim(both '-' from left(trim(both '-' from regexp_replace(
        regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g'
      )), 80)), ''), right(id::text, 12))
      where slug is null and visibility in ('public', 'merchant_public', 'merchant_unlisted')
    $sql$, any_table);
  end loop;
end
$$;
alter table interview force row level security, enable trigger user;
alter table position force row level security, enable trigger user;
create unique index interview__slug on interview (slug);
create unique index position__slug on position (slug);
-- The lists of open jobs: of one merchant, and of all merchants.
create index interview__merchant_id_created_at_id on interview (merchant_id, created_at, id)
  where environment = 'production' and status = 'active' and type in ('interview', 'assessment', 'persona_interview')
    and visibility in ('public', 'merchant_public') and built_at is not null;
create index position__merchant_id_created_at_id on position (merchant_id, created_at, id)
  where environment = 'production' and status = 'active' and visibility in ('public', 'merchant_public');
create index interview__created_at_id on interview (created_at, id)
  where environment = 'production' and status = 'active' and type in ('interview', 'assessment', 'persona_interview')
    and visibility = 'public' and built_at is not null;
create index position__created_at_id on position (created_at, id)
  where environment = 'production' and status = 'active' and visibility = 'public';
