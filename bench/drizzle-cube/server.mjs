import { createCubeApp } from 'drizzle-cube/adapters/express';
import { defineCube } from 'drizzle-cube/server';
import { and, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { boolean, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Pool } from 'pg';

/*
 * The same questions as in bench/reports/questions.ts, for drizzle-cube. `npm run bench:reports` starts this process with
 * DATABASE_URL and JWKS, and receives its port. As in the README of drizzle-cube, a call has a verified token and rows are
 * selected by a condition on the merchant. It looks up no session and uses no row-level security, so it does less than the
 * operation.
 */

const attempts = pgTable('report_attempt', {
  merchantId: uuid('merchant_id').notNull(),
  environment: text('environment').notNull(),
  resultId: uuid('result_id').notNull(),
  attempt: integer('attempt').notNull(),
  interviewId: uuid('interview_id').notNull(),
  profileId: uuid('profile_id'),
  isTest: boolean('is_test').notNull(),
  instant: timestamp('instant', { withTimezone: true }).notNull(),
  outcome: text('outcome'),
  isShortlisted: boolean('is_shortlisted').notNull(),
  score: doublePrecision('score'),
});
const interviews = pgTable('interview', {
  merchantId: uuid('merchant_id').notNull(),
  id: uuid('id').notNull(),
  department: text('interview_department'),
});

const isCompleted = () => eq(attempts.outcome, 'completed');

const interviewsCube = defineCube('Interviews', {
  sql: ({ securityContext }) => ({
    from: interviews,
    where: eq(interviews.merchantId, securityContext.merchantId),
  }),
  dimensions: {
    id: { name: 'id', type: 'string', sql: interviews.id, primaryKey: true },
    department: { name: 'department', type: 'string', sql: interviews.department },
  },
  measures: {},
});
const attemptsCube = defineCube('Attempts', {
  sql: ({ securityContext }) => ({
    from: attempts,
    where: and(
      eq(attempts.merchantId, securityContext.merchantId),
      eq(attempts.environment, 'production'),
      sql`not ${attempts.isTest}`,
    ),
  }),
  joins: {
    Interviews: {
      targetCube: () => interviewsCube,
      relationship: 'belongsTo',
      on: [{ source: attempts.interviewId, target: interviews.id }],
    },
  },
  dimensions: {
    id: { name: 'id', type: 'string', sql: attempts.resultId, primaryKey: true },
    at: { name: 'at', type: 'time', sql: attempts.instant },
  },
  measures: {
    completed: { name: 'completed', type: 'count', sql: attempts.resultId, filters: [isCompleted] },
    avg_score: { name: 'avg_score', type: 'avg', sql: attempts.score, filters: [isCompleted] },
    shortlisted: {
      name: 'shortlisted',
      type: 'count',
      sql: attempts.resultId,
      filters: [() => eq(attempts.isShortlisted, true)],
    },
    candidates: { name: 'candidates', type: 'countDistinct', sql: attempts.profileId },
    median_score: { name: 'median_score', type: 'median', sql: attempts.score, filters: [isCompleted] },
  },
});

const keys = createLocalJWKSet(JSON.parse(process.env.JWKS ?? ''));
const schema = { attempts, interviews };
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  options: '-c timezone=UTC',
});
const app = createCubeApp({
  cubes: [attemptsCube, interviewsCube],
  drizzle: drizzle(pool, { schema }),
  schema,
  engineType: 'postgres',
  extractSecurityContext: async (request) => {
    const { payload } = await jwtVerify(request.headers.authorization?.slice('Bearer '.length) ?? '', keys);
    return { merchantId: payload.merchant_id };
  },
  mcp: { enabled: false },
});
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
