import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { may, openQuery, useViewer } from '../session/viewer.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { texts } from './areaTexts.ts'

/** Sections of the administration. A section without permission is for administrators only. */
const SECTIONS = [
  { to: '/admin', name: 'overview', permission: 'site' },
  { to: '/admin/members', name: 'members', permission: undefined },
  { to: '/admin/applications', name: 'applications', permission: 'members' },
  { to: '/admin/invites', name: 'invites', permission: 'members' },
  { to: '/admin/bans', name: 'bans', permission: 'members' },
  { to: '/admin/site', name: 'site', permission: 'site' },
  { to: '/admin/pages', name: 'pages', permission: 'site' },
  { to: '/admin/announcements', name: 'announcements', permission: 'site' },
  { to: '/admin/picks', name: 'picks', permission: 'site' },
  { to: '/admin/audit', name: 'audit', permission: undefined },
] as const

type Section = (typeof SECTIONS)[number]['name']

/** Returns the page of a section, with links to all sections that the viewer may open. */
export function adminPage(section: Section, Content: ComponentType): ComponentType {
  return () => (
    <AdminPage section={section}>
      <Content />
    </AdminPage>
  )
}

function AdminPage({ section, children }: { section: Section; children: ReactNode }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { data } = useQuery({ ...openQuery, enabled: may(viewer, 'members') })
  const waiting = data?.open_applications ?? 0
  const isOpen = ({ permission }: (typeof SECTIONS)[number]) =>
    viewer?.role === 'admin' || (permission !== undefined && may(viewer, permission))
  const open = SECTIONS.filter(isOpen)
  const current = SECTIONS.find(({ name }) => name === section)
  const [first] = open
  // The menu links to the overview. Redirects viewers without access to the overview to their first section.
  if (section === 'overview' && first && !open.some(({ name }) => name === section)) {
    return <Navigate to={first.to} replace />
  }
  return (
    <OnlyAdmins {...(current?.permission && { permission: current.permission })}>
      <Page title={t.sections[section]} lead={t.leads[section]}>
        <Tabs label={t.area}>
          {open.map(({ to, name }) => (
            <Tab key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {t.sections[name]}
              {name === 'applications' && waiting > 0 && <Badge tone="accent">{waiting}</Badge>}
            </Tab>
          ))}
        </Tabs>
        {children}
      </Page>
    </OnlyAdmins>
  )
}
