/** Ids of the platform's templates, fixed in db/migrations/0003-interviews-tables.sql. */
export const platformTemplateIds = {
  offline_avatar_1: '0198a000-0000-7000-8000-000000000001',
  offline_avatar_2: '0198a000-0000-7000-8000-000000000002',
  offline_avatar_3: '0198a000-0000-7000-8000-000000000003',
  interactive_avatar_1: '0198a000-0000-7000-8000-000000000004',
  interactive_avatar_2: '0198a000-0000-7000-8000-000000000005',
  interactive_voice: '0198a000-0000-7000-8000-000000000006',
} as const;
