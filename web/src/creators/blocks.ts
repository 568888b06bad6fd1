import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import type { Creator, UserRef } from '#sdk'
import { defineTexts, useTexts } from '../language/texts.ts'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { creatorKey } from './queries.ts'

export type FilterKind = 'block' | 'mute'
type FilterAct = FilterKind | 'unblock' | 'unmute'

const LISTS = { block: 'listBlocks', mute: 'listMutes' } as const

export function filteredQuery(kind: FilterKind) {
  return byPages(['filtered', kind], (page, signal) =>
    plaza.me[LISTS[kind]]({ page, per_page: 30 }, { signal }),
  )
}

/**
 * Returns a mutation that blocks, unblocks, mutes or unmutes a user. It refetches all data except the viewer's
 * account, because most lists depend on blocks and mutes.
 */
export function useFilter({ handle, display_name }: UserRef, onDone?: () => void) {
  const queries = useQueryClient()
  const t = useTexts(texts)
  const said = useTexts(uiTexts)
  const mutation: UseMutationResult<Partial<Creator>, Error, FilterAct> = useMutation({
    mutationFn: async (act: FilterAct): Promise<Partial<Creator>> => plaza.creators[act](handle),
    onSuccess: (result, act) => {
      queries.setQueryData<Creator>(
        creatorKey(handle),
        (cached) => cached && { ...cached, ...result },
      )
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== viewerQuery.queryKey[0],
      })
      // Offers Undo only for muting, because unblocking would not restore the follows that the block removed.
      const undo = { label: said.undo, run: () => mutation.mutate('unmute') }
      toast(t.done[act](display_name), act === 'mute' ? { action: undo } : {})
      onDone?.()
    },
    onError: (error, act) => {
      if (act !== 'block') toast(said.undoneSince(problemText(error, said)), { isBad: true })
    },
  })
  return mutation
}

export const texts = defineTexts({
  more: ['더보기', 'More'],
  block: (handle: string) => [`@${handle} 차단`, `Block @${handle}`],
  unblock: (handle: string) => [`@${handle} 차단 해제`, `Unblock @${handle}`],
  mute: (handle: string) => [`@${handle} 뮤트`, `Mute @${handle}`],
  unmute: (handle: string) => [`@${handle} 뮤트 해제`, `Unmute @${handle}`],
  report: {
    content: ['작품 신고', 'Report work'],
    comment: ['댓글 신고', 'Report comment'],
    post: ['글 신고', 'Report post'],
    message: ['메시지 신고', 'Report message'],
    user: ['회원 신고', 'Report user'],
  },
  blockTitle: (name: string) => [`${name}님을 차단할까요?`, `Block ${name}?`],
  blockHelp: [
    '서로 팔로우가 끊기고, 댓글, 좋아요, 메시지를 주고받을 수 없어요. 이 사람의 작품은 내 목록에 나오지 않아요. 상대방에게는 알리지 않아요.',
    "You'll stop following each other, and neither can comment, like or message the other. Their works leave your lists. They won't be told.",
  ],
  blockAct: ['차단', 'Block'],
  done: {
    block: (name: string) => [`${name}님을 차단했어요`, `You blocked ${name}`],
    unblock: (name: string) => [`${name}님의 차단을 해제했어요`, `You unblocked ${name}`],
    mute: (name: string) => [`${name}님을 뮤트했어요`, `You muted ${name}`],
    unmute: (name: string) => [`${name}님의 뮤트를 해제했어요`, `You unmuted ${name}`],
  },
  blocks: ['차단한 사람', 'Blocked people'],
  blocksHelp: [
    '서로 팔로우하거나 댓글, 좋아요, 메시지를 주고받을 수 없어요.',
    'Neither of you can follow, comment, like or message the other.',
  ],
  noBlocks: ['차단한 사람이 없어요.', "You haven't blocked anyone."],
  mutes: ['뮤트한 사람', 'Muted people'],
  mutesHelp: [
    '작품, 댓글, 글, 알림이 나에게만 보이지 않아요. 메시지와 팔로우는 그대로예요.',
    'Their works, comments, posts and notifications are hidden from you. Messages and follows stay.',
  ],
  noMutes: ['뮤트한 사람이 없어요.', "You haven't muted anyone."],
  end: {
    block: ['차단 해제', 'Unblock'],
    mute: ['뮤트 해제', 'Unmute'],
  },
  decisions: ['조치와 신고', 'Decisions and reports'],
  decisionsHelp: [
    '내가 한 신고의 결과와, 운영진이 나에게 한 조치를 볼 수 있어요.',
    'Outcomes of your reports, and what moderators decided about you.',
  ],
  seeDecisions: ['보러 가기', 'Open'],
  policy: ['먼저 메시지를 보낼 수 있는 사람', 'Who can message you first'],
  policyHelp: [
    '이미 주고받는 대화에는 영향이 없어요.',
    "Conversations you already have aren't affected.",
  ],
  everyone: ['모든 사람', 'Everyone'],
  requests: [
    '모든 사람. 팔로우하지 않는 사람의 메시지는 요청으로 받기',
    "Everyone. Messages from people you don't follow arrive as requests",
  ],
  following: ['내가 팔로우하는 사람', 'People you follow'],
  nobody: ['아무도 없음', 'No one'],
  saved: ['저장했어요', 'Saved'],
})
