import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Matches small modules that several public pages share. They import only modules that the first page needs anyway. */
const PARTS =
  /[\\/](?:lucide-react|web[\\/]src[\\/](?:device|language|session|lists|contents[\\/](?!Archived|player)|creators[\\/](?!block|UserItems)|ui[\\/](?!Popups|KeyList|Form|Panel|Table)))/

/** Matches small modules of the game page that other pages share too. */
const GAME =
  /[\\/](?:lucide-react[^]*[\\/](?:m(?:ax|in)imize|rotate-cw)\.|web[\\/]src[\\/]jump[\\/](?:queries|texts))/

/**
 * Configuration of `npm run build`, the build at the first start, and the development server (`npm run web`).
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [preloadFont(), listPageFiles(), writeWorker()],
  resolve: {
    alias: {
      // Preact is a seventh of React's size (docs/decisions/029-preact.md).
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      // Removes the useSyncExternalStore polyfill of @tanstack/react-store, because Preact implements the hook.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      'use-sync-external-store/shim': 'preact/compat',
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: scopedName } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // The oldest browsers that support light-dark(). For older browsers, the build would add replacement code, which
    // ignores the `color-scheme` of single elements.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy forbids fonts from `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Preloads only the style sheets of a lazy script. A list of scripts would add 1.5 kB to every first visit.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
    },
    rolldownOptions: {
      output: {
        // Uses short hashes, because each first visit loads the names of all files, and hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? 'assets/[name]-[hash:4][extname]'
            : 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          // Puts the modules that most pages share into two files. Otherwise a first visit would request forty files.
          // Groups by size would import each other, so every page would load nearly all groups.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 2 },
            { name: 'parts', test: PARTS, minShareCount: 3, priority: 1 },
            { name: 'game', test: GAME },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/uploads'].map((path) => [
        path,
        process.env['PLAZA_URL'] ?? 'http://127.0.0.1:3000',
      ]),
    ),
  },
})

/** Returns a short class name. All classes of a file share a suffix, so that styles and scripts compress well. */
function scopedName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/')
  return `_${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`
}

const ROUTE = /path: '([^']+)'[^]*?component: (?:lazyPage\(\(\) => import\('([^']+)'\)|\w+)/g

/** Preloads the font of Latin letters. If the font arrived after the first text is drawn, the text would move. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /\.subset\.91-[^/]*\.woff2$/.test(name))
        if (!font) throw new Error('the font of Latin letters is missing')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs: { ...attrs, href: `/${font}` } }]
      },
    },
  }
}

const CONTENT = '/contents/$id'
/** Module that shows the content, by content type. The content page loads this module after its own. */
const STAGES = {
  article: 'markdown/Markdown.tsx',
  audio: 'contents/player/Player.tsx',
  game: 'jump/Player.tsx',
  image: 'content/Gallery.tsx',
  video: 'content/Cover.tsx',
}

/**
 * Writes `pages.json`, which lists the additional files of each page, and of the content page for each content type.
 * The server links these files in the head of the page, so browsers load them immediately.
 */
function listPageFiles(): Plugin {
  const source = join(import.meta.dirname, 'src')
  return {
    name: 'list-page-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const filesOf = (start: string, files = new Set<string>()) => {
        const chunk = chunks.find(({ fileName }) => fileName === start)
        if (!chunk || files.has(start)) return files
        files.add(start)
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
        for (const needed of chunk.imports) filesOf(needed, files)
        return files
      }
      const shared = chunks
        .filter(({ isEntry }) => isEntry)
        .map(({ fileName }) => filesOf(fileName))
      const ownFilesOf = (...modules: string[]) => {
        const paths = modules.map((module) => join(source, module))
        const entries = chunks.filter(({ facadeModuleId }) =>
          paths.includes(String(facadeModuleId)),
        )
        return [...new Set(entries.flatMap(({ fileName }) => [...filesOf(fileName)]))]
          .filter((file) => !shared.some((known) => known.has(file)))
          .map((file) => `/${file}`)
      }
      const pages: Record<string, string[]> = {}
      for (const name of ['routes.tsx', 'consoleRoutes.ts']) {
        for (const [, path, module] of readFileSync(join(source, name), 'utf8').matchAll(ROUTE)) {
          pages[String(path)] = module ? ownFilesOf(module) : []
          if (path !== CONTENT || !module) continue
          for (const [type, stage] of Object.entries(STAGES)) {
            pages[`${path} ${type}`] = ownFilesOf(module, stage)
          }
        }
      }
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** Writes the service worker `worker.js`, with the paths of the files that the HTML page links to. */
function writeWorker(): Plugin {
  return {
    name: 'write-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('the page is missing')
        const html = String(page.source)
        const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
          ([, path]) => path,
        )
        const version = createHash('sha256').update(html).digest('base64url').slice(0, 8)
        const source = readFileSync(join(import.meta.dirname, 'worker.js'), 'utf8').replace(
          '= SHELL',
          `= ${JSON.stringify({ files, version })}`,
        )
        this.emitFile({ type: 'asset', fileName: 'worker.js', source })
      },
    },
  }
}
