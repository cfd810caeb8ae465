import type { AssessingModel } from '../../activities/scoring/ask';
import { composeAssessment } from '../../local/fakes/assessment';
import type { AssessmentFault } from '../../local/fakes/assessment-faults';

/**
 * The fake model without HTTP, for tests that make hundreds of calls. It gives the same replies as the fake server.
 */
export const createFakeModel = (lie: AssessmentFault | null): AssessingModel => ({
  name: 'fake',
  complete: ({ messages, schema }) => {
    const prompt = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
    const written = composeAssessment(prompt, schema, lie ?? undefined) ?? '';
    const content = lie === 'cut_off' ? written.slice(0, written.length / 2) : written;
    return Promise.resolve({ content, model: 'fake', promptTokens: null, completionTokens: null });
  },
});
