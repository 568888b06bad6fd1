import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hash, Search } from 'lucide-react'
import { useDeferredValue } from 'react'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Avatar, UserLink } from '../ui/User.tsx'
import styles from './TopBar.module.css'

const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', 'suggestions', q],
    queryFn: ({ signal }) => plaza.search.listSuggestions({ q }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Links below the search field: to search for the text, and to creators and tags that begin with it. */
export function Suggestions({ q, close }: { q: string; close: () => void }) {
  const t = useTexts(texts)
  const { data } = useQuery(suggestionsQuery(useDeferredValue(q.slice(0, 50))))
  return (
    <ul className={styles.suggestions} aria-label={t.suggestions} onClick={close}>
      <li>
        <Link to="/search" search={{ q }} className={styles.row}>
          <Search />
          <span className="clip">{t.searchFor(q)}</span>
        </Link>
      </li>
      {data?.users.map((user) => (
        <li key={user.id}>
          <UserLink handle={user.handle} className={styles.row}>
            <Avatar user={user} size={24} />
            <span className="clip">{user.display_name}</span>
            <span className="clip fine">@{user.handle}</span>
          </UserLink>
        </li>
      ))}
      {data?.tags.map(({ tag, content_count }) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={styles.row}>
            <Hash />
            <span className="clip">{tag}</span>
            <span className="fine">{t.works(content_count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const texts = defineTexts({
  suggestions: ['검색어 추천', 'Suggestions'],
  searchFor: (q: string) => [`‘${q}’ 검색`, `Search for “${q}”`],
  works: (count: number) => [`작품 ${count}개`, count === 1 ? '1 work' : `${count} works`],
})
