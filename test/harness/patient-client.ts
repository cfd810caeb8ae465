import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { inTime } from './wait-for';

/** A Temporal client; a wait in vain for the end of a workflow names the workflow. */
export function patientClient(connection: Connection): Client {
  const client = new Client({ connection, identity: 'test' });
  const result = client.workflow.result.bind(client.workflow);
  client.workflow.result = (workflowId, ...more) =>
    inTime(`the end of workflow ${workflowId}`, result(workflowId, ...more));
  return client;
}
