import { TestWorkflowEnvironment } from '@temporalio/testing';

/*
 * Makes the SDK download its development server into a folder: `node temporal-download.js <folder> <version>`. The SDK
 * cannot download without starting the server; whether the start works does not matter. This is a separate process because
 * the SDK's runtime stays in its process and takes its signals.
 */
const [downloadDir, version] = process.argv.slice(2);
TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version: `v${version}` } },
})
  .then(async (environment) => environment.teardown())
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
