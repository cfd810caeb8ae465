/*
 * The walls between folders (docs/architecture.md): each rule is one sentence about who may import what. `npm run lint`
 * applies them; test/unit/platform/walls.test.ts proves what each rule rejects and accepts. A new domain needs no line
 * here: `$1` in a rule stands for the domain of the importing file.
 */

/** Folders of a layer that belong to no domain. */
const noDomain = 'platform|providers|commands|migrations';
/** What other domains may import of a domain. */
const publicFile = '^(?:api|activities|db)/[^/]+/public\\.tsx?$';
/** How imports of types only appear. */
const typesOnly = ['type-only', 'type-import'];

/** Matches packages by name, wherever the package manager keeps them. */
const packages = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`;
/** Matches modules by their paths without extension. */
const files = (...paths) => `^(?:${paths.join('|')})\\.tsx?$`;

/** A rule: files that match `from` must not import what matches `to`. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'resolved',
      'Every import is resolved, because the walls cannot see where others lead.',
      {},
      { couldNotResolve: true },
    ),
    forbid(
      'no-tooling',
      'The product knows nothing of the local stack, benchmarks and tests.',
      { path: '^(?:api|activities|db|workflows)/' },
      { path: '^(?:local|bench|test)/' },
    ),
    forbid(
      'public-of-domains',
      'Another domain is reached through its public.ts.',
      { path: '^(?:api|activities|db)/([^/]+)/', pathNot: '^api/commands/' },
      {
        path: '^(?:api|activities|db)/[^/]+/',
        pathNot: [`^(?:api|activities|db)/(?:$1|${noDomain})/`, publicFile],
      },
    ),
    forbid(
      'queries-in-db',
      'Queries live in db.',
      { path: '^(?:api|activities)/' },
      { path: packages('knex', 'pg') },
    ),
    forbid(
      'api-runs-no-activity',
      'The API process runs no activity.',
      { path: '^api/' },
      { path: '^activities/' },
    ),
    forbid(
      'api-knows-workflow-ids',
      'Of workflows the API knows ids, and types.',
      { path: '^api/' },
      { path: '^workflows/', pathNot: files('workflows/ids'), dependencyTypesNot: typesOnly },
    ),
    forbid(
      'api-calls-no-provider',
      'Providers are called by activities.',
      { path: '^api/' },
      { path: packages('openai', 'undici', '@sendgrid') },
    ),
    forbid(
      'text-is-pure',
      'The texts of the API know zod, libphonenumber and themselves.',
      { path: '^api/platform/text/' },
      {
        pathNot: [
          '^api/platform/text/',
          packages('zod', 'libphonenumber-js'),
          files('api/platform/operation/(?:error-codes|api-error)', 'db/platform/(?:read-url|vocabulary)'),
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    forbid(
      'activities-know-texts-of-api',
      'Of the API activities know the texts and public.ts of a domain; webhooks also know their headers and samples.',
      { path: '^activities/' },
      {
        path: '^api/',
        pathNot: ['^api/platform/text/', publicFile, files('api/webhooks/webhook-(?:headers|samples)')],
      },
    ),
    forbid(
      'activities-know-workflow-ids',
      'Of workflows activities know ids and failures, and types.',
      { path: '^activities/' },
      { path: '^workflows/', pathNot: files('workflows/(?:ids|failures)'), dependencyTypesNot: typesOnly },
    ),
    forbid(
      'worker-serves-nothing',
      'The worker serves no operation.',
      { path: '^activities/' },
      { path: packages('express') },
    ),
    forbid(
      'providers-know-no-temporal',
      'A provider knows nothing of Temporal.',
      { path: '^activities/providers/' },
      { path: packages('@temporalio') },
    ),
    forbid(
      'providers-know-texts',
      'A provider knows other providers, texts, and types of others.',
      { path: '^activities/providers/' },
      {
        path: '^(?:api|activities|db|workflows)/',
        pathNot: ['^activities/providers/', '^api/platform/text/'],
        dependencyTypesNot: typesOnly,
      },
    ),
    forbid(
      'db-is-below',
      'db is below everything: it knows knex, pg, zod, jose and the S3 client.',
      { path: '^db/' },
      { pathNot: ['^db/', packages('knex', 'pg', 'zod', 'jose', '@aws-sdk')], dependencyTypesNot: ['core'] },
    ),
    forbid(
      'workflows-in-sandbox',
      'Workflows run in a sandbox: they know the SDK, their own files, and types of others.',
      { path: '^workflows/', pathNot: files('workflows/build-bundle') },
      {
        pathNot: ['^workflows/', packages('@temporalio/workflow', '@temporalio/common')],
        dependencyTypesNot: typesOnly,
      },
    ),
  ],
  options: {
    skipAnalysisNotInRules: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: packages('[^/]+') },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types', 'default'],
      mainFields: ['main', 'types'],
    },
  },
};
