import { actOf } from '../audit/rules.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { listPages } from './queries.ts'
import { deletePage, getPage, updatePage } from './rules.ts'
import { LocalPages, OneLocalPage, PageAnswer, PageInput, toLocalPage } from './schema.ts'

const tag = 'Site'
const params = { slug: { text: true } } as const
const updated_at = '2026-11-21T08:12:45.120Z'
const page = {
  slug: 'terms',
  title: { ko: '이용약관', en: 'Terms' },
  body: { ko: '# 이용약관', en: '# Terms of use' },
  revision: 1,
  updated_at,
}

export function registerPages(api: Api<CoreDeps>): void {
  api.get('/pages/:slug', {
    id: 'getPage',
    summary: 'Read a page of the site',
    tag,
    auth: 'public',
    params,
    data: PageAnswer,
    errors: ['PAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    example: {
      page: { ...page, title: '이용약관', body: '# 이용약관', language: 'ko' },
    },
    handler: async ({ db, params: { slug }, language }) => ({
      page: await getPage(db, slug, language),
    }),
  })

  api.get('/admin/pages', {
    id: 'listPages',
    summary: 'List the pages of the site in both languages',
    tag,
    auth: 'site',
    data: LocalPages,
    example: { pages: [page] },
    handler: async ({ db }) => ({ pages: (await listPages(db)).map(toLocalPage) }),
  })

  api.put('/admin/pages/:slug', {
    id: 'updatePage',
    summary: 'Create or replace a page of the site',
    tag,
    auth: 'site',
    params,
    body: PageInput,
    data: OneLocalPage,
    errors: ['EDIT_CONFLICT', 'LIMIT_REACHED'],
    example: { page },
    handler: async ({ db, viewer, params: { slug }, body, now, requestId }) => ({
      page: await updatePage(db, actOf(viewer, requestId), slug, body, now),
    }),
  })

  api.delete('/admin/pages/:slug', {
    id: 'deletePage',
    summary: 'Delete a page of the site',
    tag,
    auth: 'site',
    params,
    errors: ['VALIDATION_ERROR'],
    handler: ({ db, viewer, params: { slug }, now, requestId }) =>
      deletePage(db, actOf(viewer, requestId), slug, now),
  })
}
