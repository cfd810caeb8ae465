import { TestWorkflowEnvironment } from '@temporalio/testing';

/*
 * Lets the SDK download its development server into a folder: `node temporal-download.js <folder> <version>`.
 * The SDK has no call that only downloads, so it starts the server too; whether that works is not of interest.
 * A process of its own, because the SDK's runtime stays in the process and takes its signals.
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
