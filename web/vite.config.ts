import { createHash } from 'node:crypto'
import { relative, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** What most pages are put together from: small, and in need of nothing but the first page's file. */
const PARTS =
  /[\\/](?:lucide-react|web[\\/]src[\\/](?:device|language|session|lists|ui[\\/](?!Dialog|Confirm|Menu|wayBack)))/

/** `npm run build` and the first start build with this; `npm run web` serves it while it is changed. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    alias: {
      // What TanStack asks for brings the same once more, for versions of React that lack it.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: scopedName } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // Those that know light-dark(): taken apart, its colours would follow the page, not what they stand in.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Under the page's policy nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first page names every file and all 92 pieces of the font; what is random does not compress.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? 'assets/[name]-[hash:4][extname]'
            : 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          // Left alone, a first visit asks for forty files, most of them tiny. What most pages have is
          // one file more. Put together by size, files need each other, and any page brings nearly all.
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

/** Few letters, the same for all names of a file: both styles and scripts say each, and they must compress. */
function scopedName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/')
  return `_${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`
}
