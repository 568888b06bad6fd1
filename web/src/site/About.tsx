import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFace } from '../device/face.ts'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { siteQuery } from '../session/site.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import styles from './site.module.css'
import { texts } from './texts.ts'

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
