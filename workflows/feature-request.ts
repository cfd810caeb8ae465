import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { FeatureRequestActivities } from '../activities/support/feature-requests';
import { boardPosts, transactions } from './policies';

type FeatureRequestInput = { feature_request_id: string };

const { postFeatureRequest } = proxyActivities<FeatureRequestActivities>({
  ...boardPosts,
  summary: 'Looks for the post on the board, and creates it where it is not there',
});
const { recordFeaturePost, removeFeatureRequest } = proxyActivities<FeatureRequestActivities>(transactions);

/**
 * Posts a feature request on the board while its caller waits. When the workflow ends, the request is either posted
 * or removed (docs/support.md#feature-requests). Title and text stay in Postgres; the workflow's history contains
 * only ids.
 */
export async function featureRequest({ feature_request_id }: FeatureRequestInput): Promise<void> {
  setCurrentDetails('**Posting**: the board is asked, three times at most.');
  try {
    const { post_id } = await postFeatureRequest({ feature_request_id });
    setCurrentDetails(`**Recording**: the board has it as ${post_id}.`);
    await recordFeaturePost({ feature_request_id, post_id });
  } catch (error) {
    setCurrentDetails('**Not posted**: the request is removed and not counted.');
    // A cancelled workflow must not leave an unposted request, so cancellation does not stop the removal.
    await CancellationScope.nonCancellable(() => removeFeatureRequest({ feature_request_id }));
    throw error;
  }
  setCurrentDetails('**Posted**: the board’s users see it.');
}
