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
import { memberQuery } from './queries.ts'
import { Role } from './Role.tsx'
import { Suspension } from './Suspension.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members/$id')

/** A user's page, with the administrators' actions. */
export function Member() {
  const { id } = route.useParams()
  return (
    <OnlyAdmins>
      <Loaded key={id} id={id} />
    </OnlyAdmins>
  )
}

function Loaded({ id }: { id: string }) {
  const t = useTexts(texts)
  const { data: member, error, refetch } = useQuery(memberQuery(id))
  if (member) return <Shown member={member} />
  return (
    <Page title={t.member} trail={<Link to="/admin">{t.members}</Link>}>
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

function Shown({ member }: { member: AdminUserDetail }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const isOwn = viewer?.id === member.id
  return (
    <Page
      title={member.display_name}
      trail={<Link to="/admin">{t.members}</Link>}
      lead={<Marks member={member} isOwn={isOwn} />}
      actions={
        !member.is_suspended && (
          <LinkButton to="/creators/$handle" params={{ handle: member.handle }}>
            {t.profile}
          </LinkButton>
        )
      }
    >
      <Columns side={<Details member={member} />}>
        <Activity member={member} />
        <Suspension member={member} isOwn={isOwn} />
        <Role member={member} isOwn={isOwn} />
        <Audit id={member.id} />
      </Columns>
    </Page>
  )
}
