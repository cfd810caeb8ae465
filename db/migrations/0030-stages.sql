-- Stages of candidates (docs/people.md#stages).

-- The stages in which a candidate is and was, of an interview or a position. Candidates without a present row have no stage.
create table enrolment_stage (
  merchant_id uuid not null,
  environment text not null,
  enrolment_id uuid not null,
  stage text not null check (
    stage in ('Interest', 'Application submitted', 'Interview 1st planned', 'Interview 1st completed',
      'Interview 2nd planned', 'Interview 2nd completed', 'Interview 3rd planned', 'Interview 3rd completed',
      'Offer negotiations', 'Hired', 'Rejected', 'Offer declined', 'Other')
  ),
  entered_at timestamptz not null,
  left_at timestamptz, -- null: the present stage
  set_by uuid references profile (id), -- null: a submit by the candidate, or a service key
  primary key (merchant_id, enrolment_id, entered_at),
  check (left_at > entered_at),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id) on delete cascade
);
create unique index enrolment_stage__merchant_id_enrolment_id on enrolment_stage (merchant_id, enrolment_id)
  where left_at is null;
alter table enrolment_stage enable row level security, force row level security;

-- Candidates who submitted before get the stage that the triggers of stages.sql would have set last.
alter table enrolment no force row level security;
alter table interview no force row level security;
alter table interview_result no force row level security;
alter table position_step no force row level security;
alter table enrolment_stage no force row level security;
insert into enrolment_stage (merchant_id, environment, enrolment_id, stage, entered_at)
select e.merchant_id, e.environment, e.id,
  case
    when not r.recruiter_go_next_round then 'Rejected'
    else 'Interview ' || (array['1st', '2nd', '3rd'])[least(3, n.place + coalesce(r.recruiter_go_next_round, false)::integer)]
      || case when r.status = 'active' and r.recruiter_go_next_round is null then ' completed' else ' planned' end
  end,
  coalesce(r.decided_at, r.submitted_at, e.updated_at)
from enrolment e
join interview i on i.merchant_id = e.merchant_id and i.id = e.interview_id and i.type not in ('coaching', 'persona')
left join interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id
  and r.interview_id = e.interview_id and not r.is_test
cross join lateral (
  select greatest(1, count(*))::integer as place from position_step s
  join position_step o on o.merchant_id = s.merchant_id and o.position_id = s.position_id and o.step_order <= s.step_order
  where s.merchant_id = e.merchant_id and s.position_id = e.position_id and s.interview_id = e.interview_id
) n
where r.status = 'active' or n.place > 1;
alter table enrolment force row level security;
alter table interview force row level security;
alter table interview_result force row level security;
alter table position_step force row level security;
alter table enrolment_stage force row level security;
