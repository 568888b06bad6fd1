import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UserSearch } from 'lucide-react'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { Pager, SearchBox, TableSkeleton } from '../ui/Table.tsx'
import styles from './admin.module.css'
import { adminPage } from './AdminPage.tsx'
import { usersQuery } from './queries.ts'
import { texts } from './texts.ts'
import { UserTable } from './UserTable.tsx'

const route = getRouteApi('/admin/members')

export const Users = adminPage('members', Shown)

function Shown() {
  const t = useTexts(texts)
  const formats = useFormats()
  const { q, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({ ...usersQuery(q, page), placeholderData: keepPreviousData })
  const search = (text: string) =>
    void navigate({ search: { q: text || undefined }, replace: true, resetScroll: false })
  return (
    <>
      <div className={styles.bar}>
        <SearchBox label={t.search} hint={t.searchHint} q={q ?? ''} onSearch={search} />
        <p className={styles.muted} role="status">
          {query.data && t.found(formats.number(query.data.pagination.total))}
        </p>
      </div>
      <Loaded query={query} skeleton={<TableSkeleton rows={10} />}>
        {({ users, pagination }) =>
          users.length === 0 ? (
            <Empty
              icon={<UserSearch />}
              title={t.nobody}
              action={<Button onClick={() => void navigate({ search: {} })}>{t.clear}</Button>}
            >
              {t.nobodyHelp}
            </Empty>
          ) : (
            <>
              <UserTable users={users} isBusy={query.isPlaceholderData} />
              <Pager
                page={page}
                pages={pagination.total_pages}
                onPage={(next) =>
                  void navigate({ search: { q, page: next > 1 ? next : undefined } })
                }
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}
