-- The page of a result lists the acts on it.
create index audit_entry__merchant_id_subject_id_id on audit_entry (merchant_id, subject_id, id);
