import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** What most pages are put together from: small, and in need of nothing but the first page's file. */
const PARTS =
  /[\\/](?:lucide-react|web[\\/]src[\\/](?:device|language|session|lists|ui[\\/](?!Dialog|Confirm|Menu|wayBack)))[\\/]?/

/** `npm run build` and the first start build with this; `npm run web` serves it while it is changed. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
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
        assetFileNames: 'assets/[name]-[hash:6][extname]',
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
