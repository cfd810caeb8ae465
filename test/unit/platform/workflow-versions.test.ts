import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as workflows from '../../../workflows';
import { versioningBehaviors } from '../../../workflows/versioned';

const operations = readFileSync(path.resolve(__dirname, '../../../docs/operations.md'), 'utf8');

/** Returns the workflow types that a row of the table in docs/operations.md names. */
const documented = (row: string) =>
  [...(new RegExp(`^\\| ${row} \\|([^|]*)\\|`, 'm').exec(operations)?.[1] ?? '').matchAll(/`(\w+)`/g)]
    .map(([, name = '']) => name)
    .toSorted();

const declared = (behavior: string) =>
  Object.entries(workflows)
    .filter(([, workflow]) => {
      const options: unknown = Reflect.get(workflow, 'workflowDefinitionOptions');
      return options instanceof Object && Reflect.get(options, 'versioningBehavior') === behavior;
    })
    .map(([name]) => name)
    .toSorted();

describe('each type of workflow', () => {
  it('says what happens to it when another build becomes the current one, as documented', () => {
    const [pinned, upgrading] = [declared('PINNED'), declared('AUTO_UPGRADE')];
    expect(Object.keys(versioningBehaviors).toSorted()).toEqual(Object.keys(workflows).toSorted());
    expect([...pinned, ...upgrading].toSorted()).toEqual(Object.keys(workflows).toSorted());
    expect([documented('pinned'), documented('auto-upgrade')]).toEqual([pinned, upgrading]);
  });
});
