import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import type { DayNumbers } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import choices from '../ui/Tabs.module.css'
import styles from './Library.module.css'
import { contentStatsQuery, statsQuery } from './queries.ts'

const METRICS = ['views', 'plays', 'likes', 'comments', 'follows'] as const
const RANGES = [7, 28, 90, 365] as const
type Metric = (typeof METRICS)[number]
type Range = (typeof RANGES)[number]

const route = getRouteApi('/library')

/** Daily statistics of all the viewer's contents, or of the content in the URL. */
export function Stats() {
  const t = useTexts(texts)
  const { content, days = 28 } = route.useSearch()
  const navigate = useNavigate()
  return (
    <div className={styles.stats}>
      <div className={styles.head}>
        {content && (
          <Link to="/library" search={{ list: 'stats', days }} className={styles.back}>
            {t.all}
          </Link>
        )}
        <div className={choices.choices} role="group" aria-label={t.range}>
          {RANGES.map((range) => (
            <button
              key={range}
              type="button"
              aria-pressed={range === days}
              onClick={() =>
                void navigate({ to: '/library', search: { list: 'stats', content, days: range } })
              }
            >
              {t.days(range)}
            </button>
          ))}
        </div>
      </div>
      {content ? <OfContent id={content} days={days} /> : <OfAll days={days} />}
    </div>
  )
}

function OfAll({ days }: { days: Range }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { data, error, refetch } = useQuery(statsQuery(days))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="60dvh" />
  if (METRICS.every((metric) => data.totals[metric] === 0)) {
    const link = { to: '/publish' } as const
    return (
      <Empty icon={<ChartColumn />} title={t.none} level={3} action={t.publish} link={link}>
        {t.noneHelp}
      </Empty>
    )
  }
  return (
    <>
      <Numbers totals={data.totals} days={data.days} />
      {data.top.length > 0 && (
        <section className={styles.top}>
          <h3>{t.top}</h3>
          <ol>
            {data.top.map(({ content_id, title, thumbnail_url, views }) => (
              <li key={content_id}>
                <Link
                  to="/library"
                  search={{ list: 'stats', content: content_id, days }}
                  className={styles.row}
                >
                  <span className={styles.topPicture}>
                    {thumbnail_url && (
                      <img className="crop" src={thumbnail_url} alt="" loading="lazy" />
                    )}
                  </span>
                  <span className="clip">{title}</span>
                  <span className="fine">{t.viewed(formats.number(views))}</span>
                </Link>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

function OfContent({ id, days }: { id: string; days: Range }) {
  const { data, error, refetch } = useQuery(contentStatsQuery(id, days))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="60dvh" />
  const { content, stats } = data
  return (
    <>
      <h3 className={styles.statsTitle}>
        <Link to="/contents/$id" params={{ id }}>
          {content.title}
        </Link>
      </h3>
      <Numbers totals={stats.totals} days={stats.days} />
    </>
  )
}

interface NumbersProps {
  totals: Record<Metric, number>
  days: readonly DayNumbers[]
}

function Numbers({ totals, days }: NumbersProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const [metric, setMetric] = useState<Metric>('views')
  return (
    <>
      <div className={styles.tiles} role="group" aria-label={t.metrics}>
        {METRICS.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.tile}
            aria-pressed={name === metric}
            onClick={() => setMetric(name)}
          >
            <span className="fine">{t.metric[name]}</span>
            <strong>{formats.number(totals[name])}</strong>
          </button>
        ))}
      </div>
      <Plot days={days} metric={metric} />
      <div>
        <Button size="small" icon={<Download />} onClick={() => download(days)}>
          {t.download}
        </Button>
      </div>
    </>
  )
}

/** Bar chart with one bar per day. Screen readers get the same numbers as a table. */
function Plot({ days, metric }: { days: readonly DayNumbers[]; metric: Metric }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const most = Math.max(1, ...days.map((day) => day[metric]))
  const dateOf = ({ date }: DayNumbers) => formats.date(`${date}T00:00`)
  const first = days[0]
  const last = days.at(-1)
  return (
    <figure className={styles.plot}>
      <div className={styles.bars} aria-hidden="true">
        <span className={styles.most}>{formats.number(most)}</span>
        {days.map((day) => (
          <span
            key={day.date}
            className={styles.plotBar}
            title={`${dateOf(day)}: ${formats.number(day[metric])}`}
          >
            <span style={{ height: `${(day[metric] / most) * 100}%` }} />
          </span>
        ))}
      </div>
      {first && last && (
        <figcaption className={styles.ends} aria-hidden="true">
          <span>{dateOf(first)}</span>
          <span>{dateOf(last)}</span>
        </figcaption>
      )}
      <table className="unseen">
        <caption>{t.metric[metric]}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{dateOf(day)}</th>
              <td>{formats.number(day[metric])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function download(days: readonly DayNumbers[]): void {
  const lines = days.map((day) => [day.date, ...METRICS.map((name) => day[name])].join(','))
  const csv = [`date,${METRICS.join(',')}`, ...lines, ''].join('\r\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  link.download = `${days[0]?.date}-${days.at(-1)?.date}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}

const texts = defineTexts({
  range: ['기간', 'Range'],
  days: (days: number) => [
    days === 365 ? '1년' : `${days}일`,
    days === 365 ? '1 year' : `${days} days`,
  ],
  all: ['모든 작품', 'All works'],
  metrics: ['숫자', 'Numbers'],
  metric: {
    views: ['조회', 'Views'],
    plays: ['플레이', 'Plays'],
    likes: ['좋아요', 'Likes'],
    comments: ['댓글', 'Comments'],
    follows: ['새 팔로워', 'New followers'],
  },
  top: ['많이 본 작품', 'Most viewed'],
  viewed: (count: string) => [`조회수 ${count}회`, count === '1' ? '1 view' : `${count} views`],
  download: ['CSV로 받기', 'Download as CSV'],
  none: ['이 기간에는 아직 통계가 없어요', 'No numbers in this range yet'],
  noneHelp: [
    '작품을 공개하면 조회수, 플레이, 좋아요, 댓글, 새 팔로워를 날마다 여기에서 볼 수 있어요.',
    'Publish a work and its daily views, plays, likes, comments and new followers appear here.',
  ],
  publish: ['작품 올리기', 'Publish a work'],
})
