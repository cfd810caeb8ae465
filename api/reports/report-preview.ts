import { z } from 'zod';
import { findRunSettings } from '../../db/reports/run-settings';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, readers, text } from '../platform/operation/vocabulary';
import { definition, filters } from './report-fields';
import { runExample, runReply } from './runs/run-reply';
import { runReport } from './runs/run-report';

export const reportPreview = defineOperation({
  name: 'report-preview',
  method: 'POST',
  isRead: true,
  tag: 'Reports',
  summary: 'Validate and run a report without storing it',
  description: `Validates a definition against the catalog and runs it. Use it before \`report-create\` and \`report-update\`. A definition that is wrong is a 422 that names
every wrong place; \`details\` say how a program repairs each: put \`suggestion\`, or else the first entry of \`valid\`, at \`path\`, and delete what is there if
\`valid\` is empty. A block that fails while it runs has \`ok\` false, and the others return data. Nothing is stored, so \`Idempotency-Key\` has no effect.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  validates: ['definition', 'filters'],
  input: z.object({
    definition,
    filters: optionalField(filters).meta({ description: 'Filters on top of those of the definition.' }),
    block_id: optionalField(text(100)).meta({
      description: 'Run only this block. The others are validated too.',
    }),
  }),
  example: {
    definition: {
      schema: 'platform.report/v1',
      title: 'Completed interviews',
      blocks: [
        {
          id: 'completed',
          type: 'kpi',
          dataset: 'interview_results',
          measures: ['completed'],
          compare: 'previous_period',
        },
      ],
    },
  },
  reply: runReply,
  replyExample: { ...runExample, report_id: null, version: null },
  statuses: [],
  handle({ input, ...call }, deps) {
    const { definition: sent, filters: requestFilters, block_id: blockId } = input;
    const facts = { report_id: null, version: null };
    const request = { facts, definition: sent, requestFilters, blockId, isStored: false };
    return runReport(deps, call, {
      statement: findRunSettings,
      asked: request,
      toRequest: () => request,
    });
  },
});
