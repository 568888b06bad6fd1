/** Queries of the desk, copies of cases' subjects, and the actions that moderators can take on cases. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Case, Comment, ContentDetail, Creator, Decision, InputOf, Message, Post } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { deskTexts } from './deskTexts.ts'

/**
 * Returns the copy of the subject that the server stored with the case. Its fields depend on the kind of the
 * subject.
 */
export function snapshotOf({ snapshot }: Case) {
  return (snapshot ?? {}) as unknown as Partial<ContentDetail & Comment & Post & Message & Creator>
}

/** Returns a text that identifies the subject of a case. */
export function excerptOf(item: Case): string {
  const { title, body, display_name } = snapshotOf(item)
  return title ?? display_name ?? body ?? ''
}

/** Matches the SHA-256 in the URL of an uploaded file, which is also in the URLs of its converted versions. */
const HASH = /^\/uploads\/([0-9a-f]{64})/

/**
 * Returns the uploaded files of a case's subject: its media, or else its thumbnail or avatar. Empty if the subject has
 * no files.
 */
export function filesOf(item: Case): { hash: string; url: string; isPicture: boolean }[] {
  const { media, thumbnail_url, avatar_url } = snapshotOf(item)
  const urls = media?.length
    ? media.map(({ url, mime_type }) => [url, mime_type.startsWith('image/')] as const)
    : [[thumbnail_url ?? avatar_url ?? null, true] as const]
  return urls.flatMap(([url, isPicture]) => {
    const hash = url === null ? undefined : HASH.exec(url)?.[1]
    return url !== null && hash ? [{ hash, url, isPicture }] : []
  })
}

export type CaseFilter = Omit<InputOf<'listCases'>, 'page' | 'per_page' | 'status'> & {
  status?: 'decided'
}

export function casesQuery(filter: CaseFilter) {
  return byPages(['desk', 'cases', filter], (page, signal) =>
    plaza.moderation.listCases({ ...filter, page, per_page: 30 }, { signal }),
  )
}

export function caseQuery(id: string) {
  return queryOptions({
    queryKey: ['desk', 'case', id],
    queryFn: ({ signal }) => plaza.moderation.getCase(id, {}, { signal }),
  })
}

export type DecisionFilter = Omit<InputOf<'listDecisions'>, 'page' | 'per_page'>

export function decisionsQuery(filter: DecisionFilter) {
  return byPages(['desk', 'decisions', filter], (page, signal) =>
    plaza.moderation.listDecisions({ ...filter, page, per_page: 30 }, { signal }),
  )
}

export function appealsQuery(status: InputOf<'listAppeals'>['status']) {
  return byPages(['desk', 'appeals', status ?? null], (page, signal) =>
    plaza.moderation.listAppeals({ page, per_page: 30, ...(status && { status }) }, { signal }),
  )
}

type Input = InputOf<'createDecision'>
export type Action = Input['action']
/** Input of a decision without subject and case. `file` is the SHA-256 of the file to block. */
type Verdict = Omit<Input, 'subject' | 'case_id'> & { file?: string }

export const KEYS: Record<Action, string> = {
  none: 'd',
  warn: 'w',
  hide: 'h',
  rate: 'r',
  block_file: 'b',
  suspend: 's',
  sweep: 'p',
}

/** Actions that only admins can take and undo. */
export const OF_ADMINS = ['suspend', 'sweep']
const HIDEABLE = ['content', 'comment', 'post', 'message']

export function isHideable({ subject, status }: Case): boolean {
  return status === 'open' && HIDEABLE.includes(subject.kind)
}

/** Returns the actions that the viewer can take on a case. Returns none for a closed case. */
export function actionsOn(item: Case, isAdmin: boolean): Action[] {
  if (item.status !== 'open') return []
  return (Object.keys(KEYS) as Action[]).filter((action) => {
    if (action === 'hide') return isHideable(item)
    if (action === 'rate') return item.subject.kind === 'content'
    if (action === 'block_file') return filesOf(item).length > 0
    return !OF_ADMINS.includes(action) || (isAdmin && item.subject_user !== null)
  })
}

export function canUndo({ action, status }: Decision, isAdmin: boolean): boolean {
  if (action === 'none' || (OF_ADMINS.includes(action) && !isAdmin)) return false
  return status === 'in_effect' || status === 'applying'
}

/**
 * Returns the subject of a decision: a user for suspensions and sweeps, a file for file blocks, and otherwise the
 * subject of the case.
 */
function subjectOf(
  { subject, subject_user }: Case,
  action: Action,
  file: string | undefined,
): Input['subject'] {
  if (file !== undefined) return { kind: 'file', id: file }
  if (OF_ADMINS.includes(action) && subject_user) return { kind: 'user', id: subject_user.id }
  return subject as Input['subject']
}

/** Decides cases one after the other. Returns the decisions and the number of failures, or throws if all fail. */
async function decideAll({ cases, verdict }: { cases: readonly Case[]; verdict: Verdict }) {
  const { file, ...input } = verdict
  const decisions: Decision[] = []
  let failure: unknown
  for (const item of cases) {
    try {
      const subject = subjectOf(item, input.action, file)
      const { decision } = await plaza.moderation.createDecision({
        ...input,
        subject,
        case_id: item.id,
      })
      decisions.push(decision)
    } catch (error) {
      failure ??= error
    }
  }
  if (decisions.length === 0) throw failure
  return { decisions, failed: cases.length - decisions.length }
}

/**
 * Returns a function that refetches all data except the viewer's account, because a decision changes most lists and
 * counts.
 */
export function useRefresh() {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'viewer' })
}

export function useDecide(onDone: () => void) {
  const t = useTexts(deskTexts)
  const refresh = useRefresh()
  const { mutate: undo } = useUndo()
  return useMutation({
    mutationFn: decideAll,
    onSuccess: ({ decisions, failed }, { cases, verdict: { action } }) => {
      onDone()
      const undoable = decisions.filter((decision) => canUndo(decision, true))
      toast(cases.length > 1 ? t.toldMany(decisions.length, failed) : t.told[action], {
        isForNextPage: true,
        ...(undoable.length > 0 && { action: { label: t.undo, run: () => undo(undoable) } }),
      })
    },
    onSettled: refresh,
  })
}

export function useUndo() {
  const t = useTexts(deskTexts)
  const said = useTexts(uiTexts)
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (decisions: readonly Decision[]) => {
      for (const { id } of decisions) await plaza.moderation.undoDecision(id, {})
    },
    onSuccess: () => toast(t.undone),
    onError: (error) => toast(problemText(error, said), { isBad: true }),
    onSettled: refresh,
  })
}

/** Returns a mutation that assigns a case to the viewer or removes the assignee. */
export function useAssign() {
  const queries = useQueryClient()
  const said = useTexts(uiTexts)
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, isAssigned }: { id: string; isAssigned: boolean }) =>
      plaza.moderation[isAssigned ? 'updateAssignee' : 'deleteAssignee'](id),
    onSuccess: ({ case: changed }) =>
      queries.setQueryData(
        caseQuery(changed.id).queryKey,
        (cached) => cached && { ...cached, case: changed },
      ),
    onError: (error) => toast(problemText(error, said), { isBad: true }),
    onSettled: refresh,
  })
}
