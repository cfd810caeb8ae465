-- The list of the public sessions of all merchants.
create index interview__created_at_id_merchant_id on interview (created_at, id, merchant_id)
  where environment = 'production' and status = 'active' and type in ('coaching', 'persona') and visibility = 'public'
    and built_at is not null;
