import type { Statement } from './statement';

/** Statements that check whether the caller can see the object with this id. Each returns one row or none. */
export const subjectVisibility = {
  delivery: (id: string): Statement => ({
    text: 'select id from webhook_delivery where id = $1',
    values: [id],
  }),
  endpoint: (id: string): Statement => ({
    text: 'select id from webhook_endpoint where id = $1 and deleted_at is null',
    values: [id],
  }),
  interview: (id: string): Statement => ({
    text: `select id from interview where id = $1 and status <> 'deleted'`,
    values: [id],
  }),
  knowledgeBase: (id: string): Statement => ({
    text: 'select id from knowledge_base where id = $1',
    values: [id],
  }),
  position: (id: string): Statement => ({
    text: `select id from position where id = $1 and status <> 'deleted'`,
    values: [id],
  }),
  report: (id: string): Statement => ({
    text: 'select id from report where id = $1',
    values: [id],
  }),
  result: (id: string): Statement => ({
    text: 'select id from interview_result where id = $1',
    values: [id],
  }),
};
