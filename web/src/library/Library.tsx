import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { SavedContents } from './SavedContents.tsx'
import { OwnContents, OwnPosts } from './OwnContents.tsx'
import { Stats } from './Stats.tsx'
import { texts } from './texts.ts'

const LISTS = ['stats', 'likes', 'bookmarks', 'posts'] as const
/** A tab is also active while the URL contains filters of its list. */
const ACTIVE = { exact: false, includeSearch: true }

const route = getRouteApi('/library')

export function Library() {
  const t = useTexts(texts)
  const { list, status, find } = route.useSearch()
  return (
    <Page
      title={t.title}
      actions={
        <LinkButton to="/publish" icon={<Plus />}>
          {t.publish}
        </LinkButton>
      }
    >
      <Tabs label={t.parts}>
        {/* Copies the filters into the link, so that the tab is also active while the list is filtered. */}
        <Tab to="/library" search={list ? {} : { status, find }}>
          {t.contents}
        </Tab>
        {LISTS.map((name) => (
          <Tab key={name} to="/library" search={{ list: name }} activeOptions={ACTIVE}>
            {t[name]}
          </Tab>
        ))}
      </Tabs>
      <h2 className="unseen">{t[list ?? 'contents']}</h2>
      {list === undefined && <OwnContents />}
      {list === 'stats' && <Stats />}
      {(list === 'likes' || list === 'bookmarks') && <SavedContents key={list} list={list} />}
      {list === 'posts' && <OwnPosts />}
    </Page>
  )
}
