import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UserSearch } from 'lucide-react'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Problem } from '../ui/Problem.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Pager, TableSkeleton } from '../ui/Table.tsx'
import { adminPage } from './AdminPage.tsx'
import { UserTable } from './UserTable.tsx'
import styles from './admin.module.css'
import { usersQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members')

export const Users = adminPage('members', Shown)

function Shown() {
  const t = useTexts(texts)
  const formats = useFormats()
  const { q, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPending, isPlaceholderData, error, refetch } = useQuery({
    ...usersQuery(q, page),
    placeholderData: keepPreviousData,
  })
  const search = (text: string) =>
    void navigate({ search: { q: text || undefined }, replace: true, resetScroll: false })
  const isNobody = data?.users.length === 0
  return (
    <>
      <div className={styles.bar}>
        <SearchBox label={t.search} hint={t.searchHint} q={q ?? ''} onSearch={search} />
        <p className={styles.muted} role="status">
          {data && t.found(formats.number(data.pagination.total))}
        </p>
      </div>
      {isPending && <TableSkeleton rows={10} />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isNobody && (
        <Empty
          icon={<UserSearch />}
          title={t.nobody}
          action={<Button onClick={() => void navigate({ search: {} })}>{t.clear}</Button>}
        >
          {t.nobodyHelp}
        </Empty>
      )}
      {data && !isNobody && !error && (
        <>
          <UserTable users={data.users} isBusy={isPlaceholderData} />
          <Pager
            page={page}
            pages={data.pagination.total_pages}
            onPage={(next) =>
              void navigate({ search: (now) => ({ ...now, page: next > 1 ? next : undefined }) })
            }
          />
        </>
      )}
    </>
  )
}
