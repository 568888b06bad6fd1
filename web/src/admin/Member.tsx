import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AdminUserDetail } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Columns } from '../ui/Columns.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Activity, Details } from './About.tsx'
import { Audit } from './Audit.tsx'
import { Marks } from './Marks.tsx'
import { OnlyAdmins } from './OnlyAdmins.tsx'
import { userQuery } from './queries.ts'
import { Role } from './Role.tsx'
import { Suspension } from './Suspension.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members/$id')

/** Administration page of a user, with actions such as suspending. */
export function User() {
  const { id } = route.useParams()
  return (
    <OnlyAdmins>
      <Loaded key={id} id={id} />
    </OnlyAdmins>
  )
}

function Loaded({ id }: { id: string }) {
  const t = useTexts(texts)
  const { data: user, error, refetch } = useQuery(userQuery(id))
  if (user) return <Shown user={user} />
  return (
    <Page title={t.user} trail={<Link to="/admin">{t.users}</Link>}>
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Columns side={<Skeleton height="240px" />}>
          <Skeleton height="168px" />
          <Skeleton height="168px" />
        </Columns>
      )}
    </Page>
  )
}

function Shown({ user }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const isOwn = viewer?.id === user.id
  return (
    <Page
      title={user.display_name}
      trail={<Link to="/admin">{t.users}</Link>}
      lead={<Marks user={user} isOwn={isOwn} />}
      actions={
        !user.is_suspended && (
          <LinkButton to="/creators/$handle" params={{ handle: user.handle }}>
            {t.profile}
          </LinkButton>
        )
      }
    >
      <Columns side={<Details user={user} />}>
        <Activity user={user} />
        <Suspension user={user} isOwn={isOwn} />
        <Role user={user} isOwn={isOwn} />
        <Audit id={user.id} />
      </Columns>
    </Page>
  )
}
