import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { inTime } from '../wait-for';

/** Creates a Temporal client that names the workflow when a wait for its end times out. */
export function patientClient(connection: Connection): Client {
  const client = new Client({ connection, identity: 'test' });
  const result = client.workflow.result.bind(client.workflow);
  client.workflow.result = (workflowId, ...more) =>
    inTime(`the end of workflow ${workflowId}`, result(workflowId, ...more));
  return client;
}
