/** Public pages about the site: its description and its rules. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFace } from '../device/face.ts'
import { useLanguage } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { siteQuery } from '../session/site.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import styles from './site.module.css'

export function About() {
  const t = useTexts(texts)
  const { name } = useFace()
  const query = useQuery(siteQuery(useLanguage()))
  return (
    <Page title={t.about(name)} lead={query.data?.description} width="reading">
      <Loaded query={query} skeleton={<Skeleton height="240px" />}>
        {(site) => (
          <div className={styles.parts}>
            <Panel title={t.pages}>
              <ul className={styles.links}>
                <li>
                  <Link to="/rules">{t.rules}</Link>
                </li>
                {site.pages.map(({ slug, title }) => (
                  <li key={slug}>
                    <Link to="/pages/$slug" params={{ slug }}>
                      {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </Panel>
            <Panel title={t.details}>
              <Facts>
                {site.contact && (
                  <Fact name={t.contact}>
                    <Contact contact={site.contact} />
                  </Fact>
                )}
                <Fact name={t.version}>Plaza {site.version}</Fact>
              </Facts>
              <p>
                {/* The AGPL (section 13) requires that every visitor can download the source. */}
                <a className={styles.link} href="/source">
                  {t.source}
                </a>
              </p>
            </Panel>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Link to the operator's contact, which is an email address or an https URL. */
function Contact({ contact }: { contact: string }) {
  const href = /^https:/i.test(contact) ? contact : `mailto:${contact}`
  return (
    <a className={styles.link} href={href}>
      {contact}
    </a>
  )
}

export function Rules() {
  const t = useTexts(texts)
  const query = useQuery(siteQuery(useLanguage()))
  const isEmpty = query.data?.rules.length === 0
  return (
    <Page title={t.rules} lead={isEmpty ? undefined : t.rulesLead} width="reading">
      <Loaded query={query} skeleton={<Skeleton height="240px" />}>
        {({ rules }) =>
          isEmpty ? (
            <Empty title={t.noRules}>{t.noRulesHelp}</Empty>
          ) : (
            <ol className={styles.rules}>
              {rules.map(({ id, text }) => (
                <li key={id}>{text}</li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Page>
  )
}

const texts = defineTexts({
  about: (name: string) => [`${name} 소개`, `About ${name}`],
  rules: ['규칙', 'Rules'],
  rulesLead: ['함께 지켜 주세요.', 'Follow them when you take part.'],
  noRules: ['아직 정해진 규칙이 없어요', 'No rules yet'],
  noRulesHelp: [
    '운영자가 규칙을 정하면 여기에 보여요.',
    'When the operator sets rules, they appear here.',
  ],
  pages: ['안내', 'Pages'],
  contact: ['문의', 'Contact'],
  version: ['버전', 'Version'],
  source: ['소스 코드 받기', 'Get the source code'],
  details: ['이 사이트', 'This site'],
})
