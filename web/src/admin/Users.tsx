import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Search as SearchIcon, UserSearch } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { TextField } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Pager } from '../ui/Table.tsx'
import { AdminPage } from './AdminPage.tsx'
import { UserTable, UserTableSkeleton } from './UserTable.tsx'
import styles from './admin.module.css'
import { usersQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members')

export function Users() {
  return (
    <AdminPage section="members">
      <Shown />
    </AdminPage>
  )
}

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
        <Search q={q ?? ''} onSearch={search} />
        <p className={styles.muted} role="status">
          {data && t.found(formats.number(data.pagination.total))}
        </p>
      </div>
      {isPending && <UserTableSkeleton />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isNobody && (
        <Empty
          icon={<UserSearch aria-hidden="true" />}
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

const PAUSE_MS = 250

interface Props {
  q: string
  onSearch: (q: string) => void
}

function Search({ q, onSearch }: Props) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(q)
  useEffect(() => {
    // Back and Forward change the search text in the URL, and the field must show it.
    if (q !== sent.current) {
      sent.current = q
      setTyped(q)
    }
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (text: string) => {
    clearTimeout(timer.current)
    sent.current = text.trim()
    onSearch(sent.current)
  }
  return (
    <form
      className={styles.search}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        search(typed)
      }}
    >
      <SearchIcon aria-hidden="true" />
      <TextField
        type="search"
        label={t.search}
        hidesLabel
        placeholder={t.searchHint}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(value), PAUSE_MS)
        }}
      />
    </form>
  )
}
