import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
        // Put together by size, files may need each other; what they hold must run in its order even so.
        strictExecutionOrder: true,
        // The styles name all 92 pieces of the font, and what is random in a name does not compress.
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? 'assets/[name]-[hash:6][extname]'
            : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          // Left alone, a first visit asks for forty files, most of them tiny.
          groups: [
            { name: 'base', tags: ['$initial'] },
            { name: 'part', entriesAware: true, entriesAwareMergeThreshold: 30_000 },
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
