import { createHash } from 'node:crypto'
import { relative, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Modules that most pages share. They are small and depend on nothing outside the first page's file. */
const PARTS =
  /[\\/](?:lucide-react|web[\\/]src[\\/](?:device|language|session|lists|ui[\\/](?!Dialog|Confirm|Menu|wayBack)))/

/**
 * Used by `npm run build` and the first start. `npm run web` serves the client with it during development.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    alias: {
      // TanStack's dependency includes a polyfill that current React versions do not need.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: scopedName } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // Browsers that support light-dark(). When compiled for older ones, colours would follow the page's theme
    // instead of the element's.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy forbids inline data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first page names every file and all 92 font files. Random hashes do not compress, so they are
        // short.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? 'assets/[name]-[hash:4][extname]'
            : 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          // By default a first visit would request forty files, most of them tiny. This puts what most pages
          // share into one file. Grouping by size makes files depend on each other, so that any page loads
          // nearly all of them.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 2 },
            { name: 'parts', test: PARTS, priority: 1 },
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

/**
 * Short names, the same for all classes of a file. Styles and scripts both contain them, so they must
 * compress well.
 */
function scopedName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/')
  return `_${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`
}
