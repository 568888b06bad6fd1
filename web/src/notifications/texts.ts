import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '알림',
    readAll: '모두 읽음으로 표시',
    allRead: '모두 읽었어요',
    unreadCount: (count: string) => `읽지 않은 알림 ${count}개`,
    unread: '읽지 않음',
    markRead: '읽음으로 표시',
    fresh: (count: number) => `새 알림 ${count}개 보기`,
    types: { like: '좋아요', comment: '댓글', follow: '팔로우', mention: '언급', system: '안내' },
    others: (count: number) => `외 ${count}명`,
    unknown: '새 소식이 있어요.',
    empty: '아직 알림이 없어요',
    emptyHelp: '누군가 작품을 좋아하거나, 댓글을 달거나, 팔로우하면 여기에서 알려 드려요.',
    publish: '작품 올리기',
  },
  en: {
    title: 'Notifications',
    readAll: 'Mark all as read',
    allRead: 'All read',
    unreadCount: (count) =>
      count === '1' ? '1 unread notification' : `${count} unread notifications`,
    unread: 'Unread',
    markRead: 'Mark as read',
    fresh: (count) => (count === 1 ? 'Show 1 new notification' : `Show ${count} new notifications`),
    types: {
      like: 'Like',
      comment: 'Comment',
      follow: 'Follow',
      mention: 'Mention',
      system: 'Notice',
    },
    others: (count) => (count === 1 ? 'and 1 other' : `and ${count} others`),
    unknown: 'You have a new notification.',
    empty: 'No notifications yet',
    emptyHelp: "We'll let you know when someone likes your work, comments or follows you.",
    publish: 'Publish a work',
  },
})
