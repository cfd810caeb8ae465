-- The page of a result uses this index to list the audit entries about the result.
create index audit_entry__merchant_id_subject_id_id on audit_entry (merchant_id, subject_id, id);
