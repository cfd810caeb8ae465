-- Messages by SMS or WhatsApp (docs/people.md#messages), and two kinds of mails with texts of their own.

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (
  kind in (
    'candidate_invitation', 'next_step_invitation', 'retry_invitation', 'reminder', 'final_reminder', 'submit_reminder',
    'team_invitation', 'coaching_invitation'
  )
);

-- The message that goes out in addition to a mail. The state `sending` is committed before the provider is called. A
-- message that has it after a crash may have been sent, and is not sent again.
create table message (
  mail_id uuid primary key references mail (id),
  merchant_id uuid not null references merchant (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  enrolment_id uuid not null,
  -- What the link leads to. If the generation of the enrolment's links is another one when the message is due, the
  -- message is not sent.
  interview_id uuid not null,
  link_generation integer not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  -- The number to which it was sent, in the form +491701234567.
  number text,
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed')
  ),
  -- Why it did not arrive: a word of ours, or the number of an error of the provider.
  error text,
  -- The provider's id.
  sid text,
  -- SHA-256 of the code in the short link.
  code_hash bytea unique,
  price numeric,
  price_unit text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When the provider was last asked for the price.
  checked_at timestamptz,
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id)
);
create index message__merchant_id_number_sent_at on message (merchant_id, number, sent_at);
create index message__sent_at on message (sent_at) where sid is not null and price is null;
alter table message enable row level security, force row level security;

-- Numbers that answered STOP. They belong to no merchant, because all merchants send from the same number.
create table message_opt_out (
  number text primary key,
  created_at timestamptz not null default now()
);
alter table message_opt_out enable row level security, force row level security;
