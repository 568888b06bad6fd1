import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import type { InputOf, LocalPage } from '#sdk'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Markdown } from '../markdown/Markdown.tsx'
import { plaza } from '../session/plaza.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import {
  AdminForm,
  adminPage,
  Ask,
  bindTo,
  fromLocal,
  LineField,
  LocalField,
  toLocal,
  useAct,
} from './adminParts.tsx'
import { texts } from './siteTexts.ts'

const route = getRouteApi('/admin/pages')

const pagesQuery = queryOptions({
  queryKey: ['admin', 'pages'],
  queryFn: async ({ signal }) => (await plaza.site.listPages({}, { signal })).pages,
})

export const SitePages = adminPage('pages', Shown)

function Shown() {
  const { slug, is_new } = route.useSearch()
  return (
    <Loaded query={useQuery(pagesQuery)} skeleton={<TableSkeleton />}>
      {(pages) => {
        if (is_new) return <Editor page={undefined} />
        const page = pages.find((entry) => entry.slug === slug)
        return page ? <Editor key={page.slug} page={page} /> : <List pages={pages} />
      }}
    </Loaded>
  )
}

function List({ pages }: { pages: readonly LocalPage[] }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const create = (
    <LinkButton look="primary" icon={<Plus />} to="/admin/pages" search={{ is_new: true }}>
      {t.newPage}
    </LinkButton>
  )
  if (pages.length === 0) {
    return (
      <Empty icon={<FileText />} title={t.noPages} action={create}>
        {t.noPagesHelp}
      </Empty>
    )
  }
  return (
    <div className={styles.panels}>
      <div>{create}</div>
      <Table label={t.pages} heads={[t.title, t.slug, t.updated]} actions={t.actions}>
        {pages.map(({ slug, title, updated_at }) => (
          <tr key={slug}>
            <td className={styles.reason}>{title[language] ?? title.ko ?? title.en}</td>
            <td className={styles.actor}>
              <Link to="/pages/$slug" params={{ slug }}>
                /pages/{slug}
              </Link>
            </td>
            <td className={styles.nowrap}>
              <Time time={updated_at} />
            </td>
            <td>
              <div className={styles.buttons}>
                <LinkButton size="small" to="/admin/pages" search={{ slug }}>
                  {t.edit}
                </LinkButton>
                <Ask
                  label={t.delete}
                  title={t.deletePageAsk}
                  description={t.deleteHelp}
                  done={t.pageDeleted}
                  isDangerous
                  act={() => plaza.site.deletePage(slug)}
                />
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

function Editor({ page }: { page: LocalPage | undefined }) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  const [draft, setDraft] = useState(() => ({
    slug: page?.slug ?? '',
    title: toLocal(page?.title),
    body: toLocal(page?.body),
  }))
  const back = () => void navigate({ search: {} })
  const { mutate, isPending, error } = useAct(
    (input: InputOf<'updatePage'>) => plaza.site.updatePage(draft.slug, input),
    t.pageSaved,
    back,
  )
  const bind = bindTo(draft, setDraft, error)
  const written = (['ko', 'en'] as const).filter((language) => draft.body[language].trim())
  const submit = () =>
    mutate({
      title: fromLocal(draft.title),
      body: fromLocal(draft.body),
      revision: page?.revision ?? 0,
    })
  return (
    <div className={styles.panels}>
      <Panel title={page ? t.editPage : t.newPage}>
        <AdminForm
          error={error}
          conflict={page ? undefined : t.slugTaken}
          fields={['slug', 'title', 'body']}
          submit={t.savePage}
          isBusy={isPending}
          onSubmit={submit}
          onCancel={back}
        >
          <LineField
            {...bind('slug')}
            label={t.slug}
            hint={page ? undefined : t.slugHint}
            disabled={page !== undefined}
            autoCapitalize="none"
            spellCheck="false"
            maxLength={40}
            onChange={(slug) => setDraft({ ...draft, slug: slug.toLowerCase() })}
          />
          <LocalField {...bind('title')} label={t.title} max={100} />
          <LocalField {...bind('body')} label={t.pageBody} max={50_000} rows={14} />
          <p className={styles.muted}>{t.markdownHint}</p>
        </AdminForm>
      </Panel>
      {written.length > 0 && (
        <Panel title={t.preview}>
          <div className={styles.pair}>
            {written.map((language) => (
              <Markdown key={language} text={draft.body[language]} level={3} lang={language} />
            ))}
          </div>
        </Panel>
      )}
    </div>
  )
}
