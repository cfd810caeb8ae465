import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { interviewCreationId } from '../../../workflows/ids';
import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let connection: Connection;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  connection = await Connection.connect({ address: platform.stack.temporal_address });
});
afterAll(async () => {
  await connection.close();
});

const secret = 'Private-Quetzal';

describe('job-interview-create in Temporal', () => {
  it('shows whose workflow it is and what it does, and stores no word of the call', async () => {
    const created = await platform.call('job-interview-create', {
      body: newInterview(platform.stack, {
        name: secret,
        location: secret,
        description: secret,
        candidate_expectations: secret,
        additional_context: { note: secret },
        hiring_for_company: { name: secret },
        welcome_message: secret,
        is_embedded: true,
      }),
    });
    expect(created.status).toBe(200);
    const id = String(created.body['interview_def_set_id']);

    const handle = new Client({ connection }).workflow.getHandle(interviewCreationId(id));
    const description = await handle.describe();
    expect(description.status.name).toBe('COMPLETED');
    expect(description.searchAttributes).toMatchObject({
      MerchantId: [platform.stack.merchant_id],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Drafts an interview with the model and stores it');

    const history = historyToJSON(await handle.fetchHistory());
    const readable = history.replaceAll(/"data": ?"([^"]+)"/g, (_all, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain(`"interview_id":"${id}"`);
    expect(readable + JSON.stringify(description.raw)).not.toContain('Quetzal');
    expect(readable).not.toContain('esk_');
  });
});
