/** A page that the operator writes. Only this page of the site loads Markdown. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useFace } from '../device/face.ts'
import { useFormats } from '../language/formats.ts'
import { type Language, useLanguage } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Markdown } from '../markdown/Markdown.tsx'
import { isMissing, plaza } from '../session/plaza.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './site.module.css'

const route = getRouteApi('/pages/$slug')

function pageQuery(slug: string, language: Language) {
  return queryOptions({
    queryKey: ['site', 'page', slug, language],
    queryFn: async ({ signal }) => (await plaza.site.getPage(slug, {}, { signal })).page,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function SitePage() {
  const t = useTexts(texts)
  const formats = useFormats()
  const { name } = useFace()
  const { slug } = route.useParams()
  const language = useLanguage()
  const { data: page, error, refetch } = useQuery(pageQuery(slug, language))
  const trail = <Link to="/about">{t.about(name)}</Link>
  return (
    <Page title={page?.title ?? t.opening} hidesTitle={!page} trail={trail} width="reading">
      {page && (
        <>
          <Markdown
            text={page.body}
            lang={page.language === language ? undefined : page.language}
          />
          <p className={styles.updated}>{t.updated(formats.day(page.updated_at))}</p>
        </>
      )}
      {!page && error && <Problem error={error} retry={() => void refetch()} />}
      {!page && !error && <Skeleton height="50dvh" />}
    </Page>
  )
}

const texts = defineTexts({
  about: (name: string) => [`${name} 소개`, `About ${name}`],
  opening: ['안내', 'Page'],
  updated: (when: string) => [`${when}에 고쳤어요`, `Updated ${when}`],
})
