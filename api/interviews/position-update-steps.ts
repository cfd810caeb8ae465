import { z } from 'zod';
import { lockPosition } from '../../db/interviews/locked-definition';
import { listPositionSteps, recordStepChange } from '../../db/interviews/positions';
import type { PositionStep } from '../../db/interviews/positions';
import { moveFromRemovedSteps, lockEnrolmentScopes } from '../../db/people/public';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { interviewIdAlias, uuid, writers } from '../platform/operation/vocabulary';
import { jobInterviewGet } from './job-interview-get';
import { positionStep, positionStepsExample, stepIds, storeSteps } from './position-steps';

const ids = (description: string) =>
  z.array(z.string().meta({ description: 'Id of an interview.' })).meta({ description });

export const positionUpdateSteps = defineOperation({
  name: 'position-update-steps',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Change the steps of a position',
  description: `Replaces the steps of a position with the list that is sent: steps are added, removed and put into this order.

Candidates keep their place. Each candidate stays at the step at which they are, and when they are advanced, they enter the first step of the new
order that they have not taken. So candidates who have not finished also get steps that were added, and those who were already advanced from their
last step get no further one.

A step that candidates have begun cannot be removed until you have decided about them: the call is a 422 that says how many there are. Candidates
who have not begun a removed step go to the first step that they have not taken. Links to the removed step end: invite or register these candidates
again to get the new link. The results of a step that was removed stay.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    position_id: uuid.meta({ description: 'Id of the position.' }),
    steps: stepIds,
  }),
  aliases: interviewIdAlias,
  example: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e9',
    steps: positionStepsExample.map(({ interview_id }) => interview_id),
  },
  reads: ({ position_id }) => ({ operation: jobInterviewGet, input: { position_id } }),
  reply: z.object({
    position_id: uuid.meta({ description: 'Id of the position.' }),
    steps: z.array(positionStep).meta({ description: 'The steps in their order.' }),
    added: ids('Interviews that became steps.'),
    removed: ids('Interviews that are not steps any more.'),
  }),
  replyExample: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e9',
    steps: positionStepsExample,
    added: ['01a1fcf7-b13e-74de-bd85-c2fc187618e4'],
    removed: [],
  },
  statuses: [404],
  /** Replaces the steps of a position (docs/interviews.md#changing-the-steps). */
  handle({ input, write, requireMatch }) {
    return write(async (trx) => {
      const { steps: wanted } = input;
      // Candidates who are enrolled or advanced at the same time wait, so that nobody enters a step that is being removed.
      await trx.rows(lockEnrolmentScopes([input.position_id.toLowerCase()]));
      const position = await trx.maybeOne(lockPosition(input.position_id));
      if (!position)
        throw new ApiError('not_found', 'There is no position with this position_id.', 'position_id');
      await requireMatch(trx);
      const { steps: before } = await trx.one(listPositionSteps(position.id));
      const removed = before.filter((step) => !wanted.includes(step.interview_id));
      const old = before.map((step) => step.interview_id);
      const change = {
        added: wanted.filter((id) => !old.includes(id)),
        removed: removed.map((step) => step.interview_id),
      };
      const isChanged = wanted.length !== old.length || wanted.some((id, index) => id !== old[index]);
      if (!isChanged) return { position_id: position.id, steps: before, ...change };
      const { language } = await storeSteps(trx, position.id, wanted);
      await leaveSteps(trx, position.id, removed);
      await trx.count(recordStepChange(position.id, language, change.removed));
      await trx.count(
        recordAuditEntry('position-update-steps', position.id, {
          steps: wanted.length,
          added: change.added.length,
          removed: change.removed.length,
        }),
      );
      return { position_id: position.id, ...(await trx.one(listPositionSteps(position.id))), ...change };
    });
  },
});

/**
 * Moves candidates who have not begun a removed step to one of the position's steps. Throws 422 if candidates have begun
 * it and nobody has decided about them.
 */
async function leaveSteps(
  trx: Transaction,
  positionId: string,
  removed: readonly PositionStep[],
): Promise<void> {
  if (removed.length === 0) return;
  const taking = await trx.rows(
    moveFromRemovedSteps(
      positionId,
      removed.map(({ interview_id }) => interview_id),
    ),
  );
  const peopleAt = new Map(taking.map(({ interview_id, people }) => [interview_id, people]));
  throwAll(
    removed.flatMap(({ interview_id, name }) => {
      const people = peopleAt.get(interview_id);
      if (people === undefined) return [];
      const who = people === 1 ? '1 candidate has' : `${people} candidates have`;
      return [
        new ApiError(
          'not_permitted_state',
          `steps must contain “${name}”, because ${who} begun this step without a decision. Decide about them first.`,
          'steps',
        ),
      ];
    }),
  );
}
