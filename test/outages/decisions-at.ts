import { platformTemplateIds } from '../../local/seed/templates';
import { held } from '../harness/platform/platform';
import type { Platform } from '../harness/platform/platform';
import { candidateCalls } from '../harness/taking/candidate';
import type { CandidateLink } from '../harness/taking/candidate';
import { waitFor } from '../harness/wait-for';

/** Returns functions for taking an interview with two questions in which the model decides what follows an answer. */
export function decisionsAt(platform: Platform) {
  const calls = candidateCalls(platform);
  const decisionsAsked = async () =>
    ((await platform.fake('/openai/requests')) as { response_format: string | null }[]).filter(
      ({ response_format: format }) => format === 'next_turn',
    ).length;
  const begin = async () =>
    calls.beginAt(
      await calls.makeInterview([{ question: 'One?' }, { question: 'Two?' }], {
        max_followups: 1,
        interview_template_id: platformTemplateIds.interactive_voice,
      }),
    );
  const answer = (link: CandidateLink & { turnId: string }) =>
    calls.answer(link.token, link.turnId, { text: 'A bridge.' });
  return {
    begin,
    answer,
    /**
     * Answers the first question, and waits until the worker has asked the model for the next turn. The fake model
     * delays its response.
     */
    answerWhileHeld: async () => {
      const link = await begin();
      await platform.fault({ provider: 'openai', call: 'decision', ...held });
      const before = await decisionsAsked();
      const answering = answer(link);
      answering.catch(() => undefined);
      await waitFor('the model to be asked', async () => (await decisionsAsked()) > before);
      return { ...link, answering };
    },
    /** Waits for the turn after the first question, and checks that there is one. */
    expectOneTurn: async ({ token, turnId }: { token: string; turnId: string }) => {
      const turn = await waitFor(
        'the next turn',
        async () => (await calls.get(token)).attempt?.turn ?? undefined,
      );
      expect(turn.turn_id).not.toBe(turnId);
      expect(
        await platform.database.rows('select from result_question where after_turn = $1', [turnId]),
      ).toHaveLength(1);
    },
  };
}
