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
  ko: {
    more: '더보기',
    block: (handle: string) => `@${handle} 차단`,
    unblock: (handle: string) => `@${handle} 차단 해제`,
    mute: (handle: string) => `@${handle} 뮤트`,
    unmute: (handle: string) => `@${handle} 뮤트 해제`,
    report: {
      content: '작품 신고',
      comment: '댓글 신고',
      post: '글 신고',
      message: '메시지 신고',
      user: '회원 신고',
    },
    blockTitle: (name: string) => `${name}님을 차단할까요?`,
    blockHelp:
      '서로 팔로우가 끊기고, 댓글, 좋아요, 메시지를 주고받을 수 없어요. 이 사람의 작품은 내 목록에 나오지 않아요. 상대방에게는 알리지 않아요.',
    blockAct: '차단',
    done: {
      block: (name: string) => `${name}님을 차단했어요`,
      unblock: (name: string) => `${name}님의 차단을 해제했어요`,
      mute: (name: string) => `${name}님을 뮤트했어요`,
      unmute: (name: string) => `${name}님의 뮤트를 해제했어요`,
    },
    blocks: '차단한 사람',
    blocksHelp: '서로 팔로우하거나 댓글, 좋아요, 메시지를 주고받을 수 없어요.',
    noBlocks: '차단한 사람이 없어요.',
    mutes: '뮤트한 사람',
    mutesHelp: '작품, 댓글, 글, 알림이 나에게만 보이지 않아요. 메시지와 팔로우는 그대로예요.',
    noMutes: '뮤트한 사람이 없어요.',
    end: { block: '차단 해제', mute: '뮤트 해제' },
    decisions: '조치와 신고',
    decisionsHelp: '내가 한 신고의 결과와, 운영진이 나에게 한 조치를 볼 수 있어요.',
    seeDecisions: '보러 가기',
    policy: '먼저 메시지를 보낼 수 있는 사람',
    policyHelp: '이미 주고받는 대화에는 영향이 없어요.',
    everyone: '모든 사람',
    requests: '모든 사람. 팔로우하지 않는 사람의 메시지는 요청으로 받기',
    following: '내가 팔로우하는 사람',
    nobody: '아무도 없음',
    saved: '저장했어요',
  },
  en: {
    more: 'More',
    block: (handle) => `Block @${handle}`,
    unblock: (handle) => `Unblock @${handle}`,
    mute: (handle) => `Mute @${handle}`,
    unmute: (handle) => `Unmute @${handle}`,
    report: {
      content: 'Report work',
      comment: 'Report comment',
      post: 'Report post',
      message: 'Report message',
      user: 'Report user',
    },
    blockTitle: (name) => `Block ${name}?`,
    blockHelp:
      "You'll stop following each other, and neither can comment, like or message the other. Their works leave your lists. They won't be told.",
    blockAct: 'Block',
    done: {
      block: (name) => `You blocked ${name}`,
      unblock: (name) => `You unblocked ${name}`,
      mute: (name) => `You muted ${name}`,
      unmute: (name) => `You unmuted ${name}`,
    },
    blocks: 'Blocked people',
    blocksHelp: 'Neither of you can follow, comment, like or message the other.',
    noBlocks: "You haven't blocked anyone.",
    mutes: 'Muted people',
    mutesHelp:
      'Their works, comments, posts and notifications are hidden from you. Messages and follows stay.',
    noMutes: "You haven't muted anyone.",
    end: { block: 'Unblock', mute: 'Unmute' },
    decisions: 'Decisions and reports',
    decisionsHelp: 'Outcomes of your reports, and what moderators decided about you.',
    seeDecisions: 'Open',
    policy: 'Who can message you first',
    policyHelp: "Conversations you already have aren't affected.",
    everyone: 'Everyone',
    requests: "Everyone. Messages from people you don't follow arrive as requests",
    following: 'People you follow',
    nobody: 'No one',
    saved: 'Saved',
  },
})
