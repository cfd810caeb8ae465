import { Client, Connection } from '@temporalio/client';
import { atEnd } from '../at-end';
import { inTime } from '../wait-for';
import { infrastructure } from './infrastructure';

/** Creates a Temporal client that names the workflow when a wait for its end times out. */
export function patientClient(connection: Connection): Client {
  const client = new Client({ connection, identity: 'test' });
  const result = client.workflow.result.bind(client.workflow);
  client.workflow.result = (workflowId, ...more) =>
    inTime(`the end of workflow ${workflowId}`, result(workflowId, ...more));
  return client;
}

/** Connects to the Temporal server that all test files share. The connection is closed when the test file ends. */
export async function connectTemporal(): Promise<Client> {
  const connection = await Connection.connect({ address: infrastructure().temporalAddress });
  atEnd(() => connection.close());
  return patientClient(connection);
}
