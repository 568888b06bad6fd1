/** Cache of queries and mutations. The cache does not retry them, because the SDK retries requests. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isPlazaError } from '#sdk'
import { currentLanguage } from './language/look.ts'
import { plaza } from './session/plaza.ts'
import { viewerQuery } from './session/viewer.ts'
import { texts } from './shell/texts.ts'
import { toast } from './ui/toast.ts'

const FRESH_MS = 30_000

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS, gcTime: 30 * 60_000 },
    // Discards the results of mutations when their page closes, because some results are secrets.
    mutations: { retry: false, gcTime: 0 },
  },
})

function noticeEnd(error: Error): void {
  if (!isPlazaError(error, 'UNAUTHORIZED')) return
  queryClient.removeQueries({ queryKey: viewerQuery.queryKey })
  if (!plaza.session) {
    toast(texts[currentLanguage()].sessionEnded, { isBad: true, isCause: true })
  }
}
