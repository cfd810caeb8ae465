import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/**
 * Bundles the workflows at build time, so that a worker starts seconds faster and runs exactly the code that was
 * checked.
 */
async function buildBundle(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(__dirname, 'index.js'),
    payloadConverterPath: path.join(__dirname, 'payload-converter.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(path.join(__dirname, 'bundle.js'), code);
}

buildBundle().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
