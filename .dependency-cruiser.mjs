// Import rules (ARCHITECTURE.md, decision 028). They apply to type imports too, but not to tests.

const INFRASTRUCTURE = 'db|http|messages|outbound|storage'
/** The only files directly in `src` that may import features. Of the features, only `cli` may import these files. */
const START = '^src/(app|current-routes|deps|open|retention|server)\\.ts$'
/** Route files of a feature or of a part of a feature, such as `webhook-routes.ts`. */
const ROUTES = '[/-]routes\\.ts$'

/** Base folders of the client, and the folders that each may import from. */
const CLIENT_BASE = {
  device: [],
  language: ['device'],
  ui: ['device', 'language'],
  lists: ['device', 'language', 'ui'],
  session: ['device', 'language', 'ui'],
  // Any page can show the sign-in dialog of `join`, which the shell loads on demand.
  shell: ['device', 'language', 'ui', 'lists', 'session', 'join'],
}

function rule(name, from, to) {
  return { name, severity: 'error', from, to }
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'folders-import-each-other',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    rule(
      'infrastructure-imports-feature',
      { path: `^src/(${INFRASTRUCTURE})/` },
      { path: `^src/(?!(${INFRASTRUCTURE})/)[^/]+/` },
    ),
    rule('database-imports-other-folder', { path: '^src/db/' }, { path: '^src/(?!db/)' }),
    rule(
      'shared-file-imports-feature',
      { path: '^src/[^/]+$', pathNot: START },
      { path: `^src/(?!(${INFRASTRUCTURE})/)[^/]+/` },
    ),
    rule('feature-imports-start', { path: '^src/(?!cli/)[^/]+/' }, { path: START }),
    rule(
      'queries-import-rules',
      { path: '[/-]queries\\.ts$' },
      { path: ['[/-]rules\\.ts$', ROUTES, '^src/(http/|errors|config)'] },
    ),
    rule('import-of-routes', { path: '^src/', pathNot: [ROUTES, START] }, { path: ROUTES }),
    rule(
      'demo-imports-server',
      { path: '^src/demo/' },
      {
        path: '^src/',
        pathNot:
          '^src/(demo/|conversion/ffmpeg\\.ts|pictures/libvips\\.ts|storage/staging\\.ts|clock\\.ts|config\\.ts)',
      },
    ),
    rule('server-imports-sdk', { path: '^src/(?!demo/)' }, { path: '^sdk/' }),
    rule('sdk-imports-other-folder', { path: '^sdk/src/' }, { path: '^(?!sdk/src/)' }),
    rule(
      'client-imports-other-folder',
      { path: '^web/src/' },
      { path: '^(?!node_modules/|web/(src|fonts)/|sdk/src/index\\.ts$)' },
    ),
    ...Object.entries(CLIENT_BASE).map(([folder, allowed]) =>
      rule(
        'client-base-imports-feature',
        { path: `^web/src/${folder}/` },
        { path: `^web/src/(?!(${[folder, ...allowed].join('|')})/)[^/]+/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
    exclude: { path: '\\.test\\.ts$' },
  },
}
